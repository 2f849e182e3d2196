import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { WrongStackError, type Context, type ToolOptions } from '@wrongstack/contracts';
import { locate } from '../paths/locate.js';
import { isInside, resolveInput } from '../paths/resolve-path.js';
import {
  badInput,
  filledText,
  optionalFlag,
  optionalInteger,
  optionalText,
  rawInput,
  shown,
  textList,
} from '../read-input.js';
import { notFound } from '../paths/open-file.js';
import { operand } from './claimed-command.js';
import { PLAIN_REQUEST, type RunRequest, type Runner } from './runner.js';
import { realRoot } from '../paths/real-root.js';

/** Which of the optional parameters a tool has. */
export type Parameter = 'path' | 'fix' | 'check' | 'filter' | 'packages';

export interface ProjectInput {
  readonly path?: string | readonly string[];
  readonly fix?: boolean;
  readonly check?: boolean;
  readonly filter?: string;
  readonly packages?: readonly string[];
  readonly dev?: boolean;
  readonly allow_scripts?: boolean;
  readonly runner?: string;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

export interface ProjectCall {
  readonly request: RunRequest;
  readonly runner: string | undefined;
  readonly cwd: string;
  readonly timeoutMs: number;
}

export const MOST_TIMEOUT_MS = 30 * 60_000;

/** The request as claims and cards see it: pure, and lenient, because a log may hold anything. */
export function shownRequest(input: unknown): RunRequest {
  const raw: Readonly<Record<string, unknown>> =
    typeof input === 'object' && input !== null ? { ...input } : {};
  const filter = raw['filter'];
  return {
    paths: pathsIn(raw['path']).map(operand),
    fix: raw['fix'] === true,
    check: raw['check'] === true,
    filter: typeof filter === 'string' ? filter : undefined,
    packages: strings(raw['packages']),
    dev: raw['dev'] === true,
    allowScripts: raw['allow_scripts'] === true,
  };
}

export function pathsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : strings(value);
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function shownCwd(input: unknown, cwd: string): string {
  return resolve(cwd, shown(input, 'cwd', '.'));
}

/** Checked: the values of {@link shownRequest}, or a throw. Paths exist and lie in the project. */
export async function readProjectCall(
  input: unknown,
  parameters: readonly Parameter[],
  defaults: { readonly timeoutMs: number },
  ctx: Context,
  opts: ToolOptions,
): Promise<ProjectCall> {
  const raw = rawInput(input);
  for (const field of ['path', 'fix', 'check', 'filter', 'packages'] as const) {
    if (raw[field] !== undefined && !parameters.includes(field))
      throw badInput(field, 'is no parameter of this tool');
  }
  for (const field of ['fix', 'check', 'dev', 'allow_scripts']) optionalFlag(raw, field, false);
  const paths = typeof raw['path'] === 'string' ? [filledText(raw, 'path')] : textList(raw, 'path');
  if (raw['filter'] !== undefined) refuseFilter(filledText(raw, 'filter'));
  textList(raw, 'packages');
  const cwd = resolveInput(ctx.cwd, optionalText(raw, 'cwd') ?? '.');
  await refuseOutside(cwd, ctx, optionalText(raw, 'cwd') ?? '.');
  for (const path of paths) await requirePath(path, cwd, ctx, opts);
  return {
    request: parameters.length === 0 ? PLAIN_REQUEST : shownRequest(raw),
    runner: optionalText(raw, 'runner'),
    cwd,
    timeoutMs: optionalInteger(raw, 'timeoutMs', {
      min: 1,
      max: MOST_TIMEOUT_MS,
      fallback: defaults.timeoutMs,
    }),
  };
}

/** It is a pattern or part of a name to every runner; some take it as a word of its own. */
function refuseFilter(filter: string): void {
  if (filter.startsWith('-') || /[\0\r\n]/.test(filter)) {
    throw badInput('filter', 'must not start with a dash or hold line breaks');
  }
}

/** Other folders have other programs and other code than what was asked about. */
async function refuseOutside(path: string, ctx: Context, spelled: string): Promise<void> {
  const root = await realRoot(ctx.projectRoot);
  const real = await realpath(path).catch(() => {
    throw notFound(spelled);
  });
  if (!isInside(root, real)) {
    throw new WrongStackError(
      'path.outside',
      `${spelled} is outside the project: this tool runs the project's own programs in it`,
    );
  }
}

async function requirePath(path: string, cwd: string, ctx: Context, opts: ToolOptions): Promise<void> {
  const absolute = resolveInput(cwd, path);
  const location = await locate(ctx, opts, absolute, 'read');
  // One that does not exist could be a pattern, which the program would expand by itself.
  if (!location.exists) throw notFound(path);
  await refuseOutside(location.real, ctx, path);
}

/** Claimed paths stand below the claimed working folder. */
export function claimedPath(path: string, cwd: string, base: string): string {
  const absolute = resolve(cwd, path);
  const spelled = relative(base, absolute);
  return spelled === '' ? '.' : isInside(base, absolute) ? spelled : absolute;
}

/** The named runner, or the first that the project uses and that can do what is asked. */
export function chooseRunner(
  tool: string,
  runners: readonly Runner[],
  call: ProjectCall,
  detected: readonly Runner[],
): { readonly runner: Runner; readonly argv: readonly string[] } {
  const named = call.runner;
  if (named !== undefined && !runners.some((runner) => runner.id === named)) {
    throw badInput('runner', `must be one of ${runners.map((runner) => runner.id).join(' ')}`);
  }
  const possible = named === undefined ? detected : runners.filter((runner) => runner.id === named);
  for (const runner of possible) {
    const argv = runner.argv(call.request);
    if (argv !== null) return { runner, argv };
  }
  const ids = possible.map((runner) => runner.id).join(', ');
  if (possible.length > 0) {
    throw new WrongStackError(
      'project.not_able',
      `${tool}: ${ids} cannot do this: call it without path and options`,
    );
  }
  throw new WrongStackError(
    'project.no_runner',
    `${tool}: the files of this project name no program for it; name one as runner (${runners.map((runner) => runner.id).join(' ')}) or use bash`,
  );
}
