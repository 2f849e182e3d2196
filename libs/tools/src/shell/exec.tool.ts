import { access, constants } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { isInside, realTarget, resolveInput } from '../paths/resolve-path.js';
import { childEnvironment, type Environment } from '../process/child-environment.js';
import { badInput, optionalInteger, optionalText, rawInput, shown, textList } from '../read-input.js';
import { DEFAULT_TIMEOUT_MS, MOST_TIMEOUT_MS, TOOL_TIMEOUT_MS } from './bash.tool.js';
import { presentCommandResult } from './command-result.js';
import { EXEC_PROGRAMS, type ProgramRule } from './exec-programs.js';
import { refusedOption } from './option-rule.js';
import { resultOf, runCommand, type CommandEvents } from './run-command.js';
import { realRoot } from '../paths/real-root.js';

export interface ExecInput {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

export function createExecTool(options: {
  readonly environment: Environment;
}): Tool<ExecInput, RichToolOutput> {
  async function* start(input: ExecInput, ctx: Context, opts: ToolOptions): CommandEvents {
    const raw = rawInput(input);
    const argv = textList(raw, 'argv');
    const rule = checkedRule(argv);
    const env = childEnvironment(options.environment);
    const cwd = resolveInput(ctx.cwd, optionalText(raw, 'cwd') ?? '.');
    if (rule.ownCode === true) await refuseForeignFiles(argv, cwd, ctx.projectRoot);
    const timeoutMs = optionalInteger(raw, 'timeoutMs', {
      min: 1,
      max: MOST_TIMEOUT_MS,
      fallback: DEFAULT_TIMEOUT_MS,
    });
    const localBin = rule.local === true ? await findLocal(argv[0] ?? '', cwd, ctx.projectRoot) : undefined;
    const path = localBin === undefined ? env['PATH'] : `${localBin}${delimiter}${env['PATH'] ?? ''}`;
    yield* runCommand(
      { tool: 'exec', argv, cwd, env: path === undefined ? env : { ...env, PATH: path }, timeoutMs },
      ctx,
      opts,
    );
  }
  return {
    name: 'exec',
    description:
      'Run one listed program without a shell: listing tools, npm test|run, make, tsc, eslint, prettier, jest, vitest, pytest, ruff, mypy, go, cargo.',
    inputSchema: {
      type: 'object',
      properties: {
        argv: { type: 'array', items: { type: 'string' }, minItems: 1 },
        cwd: { type: 'string' },
        timeoutMs: { type: 'integer', minimum: 1, maximum: MOST_TIMEOUT_MS },
      },
      required: ['argv'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    riskPerCall: true,
    capabilities: ['shell.restricted'],
    category: 'Shell',
    timeoutMs: TOOL_TIMEOUT_MS,
    background: 'optional',
    maxOutputBytes: 32_000,
    estimatedDurationMs: 5_000,
    execute: async (input, ctx, opts) => resultOf(start(input, ctx, opts)),
    executeStream: start,
    describeCall: (input, ctx) => ({
      paths: [],
      command: words(input),
      cwd: resolve(ctx.cwd, shown(input, 'cwd', '.')),
      urls: [],
    }),
    presentCall: (input) => {
      const cwd = shown(input, 'cwd');
      return { card: 'terminal', title: words(input).join(' '), ...(cwd === '' ? {} : { cwd }) };
    },
    presentResult: (input, result) => presentCommandResult(words(input).join(' '), result),
  };
}

/** Whatever an old log or a broken model holds. */
function words(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null || !('argv' in input) || !Array.isArray(input.argv))
    return [];
  return input.argv.map(String);
}

function checkedRule(argv: readonly string[]): ProgramRule {
  const [program = '', ...args] = argv;
  if (program === '') throw badInput('argv', 'must name a program first');
  const rule = EXEC_PROGRAMS.get(program);
  if (rule === undefined) {
    throw new WrongStackError(
      'exec.not_allowed',
      `${program} is not among the programs of exec: ${[...EXEC_PROGRAMS.keys()].join(' ')}; use bash for others`,
    );
  }
  const [first = ''] = args;
  const wrong =
    rule.subcommands === undefined
      ? refusedOption(args, rule.options ?? {})
      : refusedSubcommand(rule.subcommands, first, args);
  if (wrong !== null) {
    throw new WrongStackError('exec.not_allowed', `${program}: ${wrong}; use bash if it is needed`);
  }
  return rule;
}

function refusedSubcommand(
  subcommands: NonNullable<ProgramRule['subcommands']>,
  name: string,
  args: readonly string[],
): string | null {
  const rule = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (rule === undefined) return `the first argument must be one of ${Object.keys(subcommands).join(' ')}`;
  return refusedOption(args.slice(1), rule);
}

/** A test or a build file from elsewhere is other code than the project's, which is what was asked for. */
async function refuseForeignFiles(argv: readonly string[], cwd: string, projectRoot: string): Promise<void> {
  const [program = '', ...words] = argv;
  const root = await realRoot(projectRoot);
  for (const word of words) {
    if (word.startsWith('-') || word === '') continue;
    const target = await realTarget(resolveInput(cwd, word));
    if (!isInside(root, target.path) && !isInside(cwd, target.path)) {
      throw new WrongStackError(
        'exec.not_allowed',
        `${program}: ${word} is outside the project; use bash if it is needed`,
      );
    }
  }
}

/** `node_modules/.bin` of the nearest folder of the project that has the program; never one above the project. */
async function findLocal(program: string, cwd: string, projectRoot: string): Promise<string | undefined> {
  for (let folder = cwd; isInside(projectRoot, folder); folder = dirname(folder)) {
    const bin = join(folder, 'node_modules', '.bin');
    const found = await access(join(bin, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return bin;
    if (dirname(folder) === folder) break;
  }
  return undefined;
}
