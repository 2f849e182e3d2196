import {
  WrongStackError,
  type Capability,
  type Context,
  type JSONSchema,
  type PathClaim,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
  type ToolStreamEvent,
} from '@wrongstack/contracts';
import { childEnvironment, type Environment } from '../process/child-environment.js';
import { shown } from '../read-input.js';
import { claimedCommand } from './claimed-command.js';
import { withLocalProgram } from './local-programs.js';
import { presentProgram, programResult } from './program-result.js';
import { readProjectFacts } from './project-facts.js';
import {
  MOST_TIMEOUT_MS,
  chooseRunner,
  claimedPath,
  pathsIn,
  readProjectCall,
  shownCwd,
  shownRequest,
  type Parameter,
  type ProjectCall,
  type ProjectInput,
} from './project-request.js';
import { runProgram } from './run-program.js';
import type { RunRequest, Runner } from './runner.js';
import type { Summarise } from './summarise.js';

/** What makes one of these tools: everything else is the same for all of them. */
export interface RunnerToolSpec {
  readonly name: string;
  readonly description: string;
  readonly runners: readonly Runner[];
  readonly parameters: readonly Parameter[];
  readonly capabilities: readonly Capability[];
  readonly mutating: boolean;
  readonly timeoutMs: number;
  readonly estimatedDurationMs: number;
  readonly summarise: Summarise;
  /** Whether the paths of a call are written. */
  readonly writes: (request: RunRequest) => boolean;
  /** Whom the runner asks over the network. */
  readonly registries?: Readonly<Record<string, string>>;
  /** More checks than all of these tools share. */
  readonly refuse?: (call: ProjectCall, runner: Runner) => void;
}

/** Worth waiting for elsewhere: tests, installs, type checks. */
const LONG_WORK_MS = 300_000;

const PARAMETERS: Readonly<Record<Parameter, Readonly<Record<string, JSONSchema>>>> = {
  path: {
    path: {
      type: ['string', 'array'],
      items: { type: 'string', minLength: 1 },
      minLength: 1,
      description: 'Files or folders; the whole project when missing',
    },
  },
  fix: { fix: { type: 'boolean' } },
  check: { check: { type: 'boolean', description: 'Only report' } },
  filter: { filter: { type: 'string', minLength: 1, description: 'Part of the test names' } },
  packages: {
    packages: { type: 'array', items: { type: 'string', minLength: 1 } },
    dev: { type: 'boolean' },
    allow_scripts: { type: 'boolean', description: 'Let packages run their install scripts' },
  },
};

export function createRunnerTool(
  spec: RunnerToolSpec,
  options: { readonly environment: Environment },
): Tool<ProjectInput, RichToolOutput> {
  const start = (input: ProjectInput, ctx: Context, opts: ToolOptions): RunnerEvents =>
    run(spec, options.environment, input, ctx, opts);
  return {
    name: spec.name,
    description: spec.description,
    inputSchema: {
      type: 'object',
      properties: {
        ...parametersOf(spec.parameters),
        runner: { type: 'string', enum: spec.runners.map((runner) => runner.id) },
        cwd: { type: 'string', minLength: 1 },
        timeoutMs: { type: 'integer', minimum: 1, maximum: MOST_TIMEOUT_MS },
      },
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: spec.mutating,
    riskTier: 'standard',
    riskPerCall: true,
    capabilities: spec.capabilities,
    category: 'Project',
    timeoutMs: MOST_TIMEOUT_MS + 15_000,
    ...(spec.timeoutMs >= LONG_WORK_MS ? { background: 'optional' } : {}),
    maxOutputBytes: 24_000,
    estimatedDurationMs: spec.estimatedDurationMs,
    execute: async (input, ctx, opts) => {
      for await (const event of start(input, ctx, opts)) if (event.type === 'final') return event.output;
      throw new WrongStackError('internal.no_final', `${spec.name} ended without a result`);
    },
    executeStream: start,
    describeCall: (input, ctx) => {
      const request = shownRequest(input);
      const cwd = shownCwd(input, ctx.cwd);
      return {
        paths: claimedPaths(spec, request, cwd),
        command: claimedCommand(spec.runners, runnerOf(input), request),
        cwd,
        urls: claimedUrls(spec, runnerOf(input)),
      };
    },
    presentCall: (input) => {
      const cwd = shown(input, 'cwd');
      return { card: 'terminal', title: title(spec, input), ...(cwd === '' ? {} : { cwd }) };
    },
    presentResult: (input, result) => presentProgram(title(spec, input), result),
  };
}

function parametersOf(parameters: readonly Parameter[]): Readonly<Record<string, JSONSchema>> {
  return Object.fromEntries(parameters.flatMap((parameter) => Object.entries(PARAMETERS[parameter])));
}

type RunnerEvents = AsyncGenerator<ToolStreamEvent<RichToolOutput>, void, undefined>;

async function* run(
  spec: RunnerToolSpec,
  environment: Environment,
  input: ProjectInput,
  ctx: Context,
  opts: ToolOptions,
): RunnerEvents {
  const call = await readProjectCall(input, spec.parameters, spec, ctx, opts);
  opts.signal.throwIfAborted();
  const facts = await readProjectFacts(call.cwd, ctx.projectRoot);
  const detected = spec.runners.filter((candidate) => candidate.detect(facts));
  const { runner, argv } = chooseRunner(spec.name, spec.runners, call, detected);
  spec.refuse?.(call, runner);
  yield { type: 'log', text: `running ${argv.join(' ')}` };
  const env = { ...childEnvironment(environment), NO_COLOR: '1', CI: '1' };
  const end = yield* runProgram(
    {
      tool: spec.name,
      argv,
      cwd: call.cwd,
      env: await withLocalProgram(env, argv[0] ?? '', call.cwd, ctx.projectRoot),
      timeoutMs: call.timeoutMs,
    },
    ctx,
    opts,
  );
  yield {
    type: 'final',
    output: programResult({ runner: runner.id, argv, timeoutMs: call.timeoutMs }, end, spec.summarise),
  };
}

/** The folder stands for the paths of a call that names none. Operands are the same words as in the command. */
function claimedPaths(spec: RunnerToolSpec, request: RunRequest, cwd: string): readonly PathClaim[] {
  const named = request.paths.length === 0 ? ['.'] : request.paths;
  return named
    .map((path) => claimedPath(path, cwd, cwd))
    .flatMap((path): PathClaim[] => [
      { path, access: 'read' },
      ...(spec.writes(request) ? [{ path, access: 'write' } as const] : []),
    ]);
}

function claimedUrls(spec: RunnerToolSpec, runnerId: string | undefined): readonly string[] {
  const { registries = {} } = spec;
  const own = runnerId === undefined ? undefined : registries[runnerId];
  return own === undefined ? [...new Set(Object.values(registries))] : [own];
}

function runnerOf(input: unknown): string | undefined {
  return shown(input, 'runner') === '' ? undefined : shown(input, 'runner');
}

function title(spec: RunnerToolSpec, input: unknown): string {
  const raw: object = typeof input === 'object' && input !== null ? input : {};
  const words = [
    ...('path' in raw ? pathsIn(raw.path) : []),
    ...('packages' in raw ? pathsIn(raw.packages) : []),
    ...['fix', 'check'].filter((name) => Object.getOwnPropertyDescriptor(raw, name)?.value === true),
    ...(shown(input, 'filter') === '' ? [] : [shown(input, 'filter')]),
    ...(runnerOf(input) === undefined ? [] : [`(${runnerOf(input) ?? ''})`]),
  ];
  return [spec.name, ...words].join(' ');
}
