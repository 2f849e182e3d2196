import { newId, type SecretScrubber, silentLogger, type Tool } from '@wrongstack/contracts';
import { processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import { builtInTools, MemoryStore } from '@wrongstack/tools';

/** `nothing` returns at once; `program` is what the tool bash does with a command: a child of its own, its output, its end. */
export type BodyName = 'nothing' | 'program';

/** What a task does, the same one governed and in a bare worker. */
export interface Body {
  readonly tool: Tool;
  /** A key by which the body says that it has begun is in it. */
  input(key: string): Readonly<Record<string, unknown>>;
  /** As a bare worker does it. */
  run(input: unknown): Promise<void>;
}

export function bodyOf(
  name: BodyName,
  folder: string,
  scrubber: SecretScrubber,
  began: (key: string) => void,
): Body {
  const tool = name === 'nothing' ? nothing(began) : program(began);
  const context = contextIn(folder, scrubber);
  return {
    tool,
    input: (key) => (name === 'nothing' ? { key } : { command: `echo ${key}` }),
    async run(input) {
      await tool.execute(input, context, {
        callId: newId('CallId'),
        signal: new AbortController().signal,
        credentials: {},
        taskOutput: () => undefined,
      });
    },
  };
}

function nothing(began: (key: string) => void): Tool {
  return {
    name: 'nothing',
    description: 'Does nothing.',
    inputSchema: { type: 'object', properties: { key: { type: 'string' } }, additionalProperties: false },
    permission: 'auto',
    riskTier: 'safe',
    mutating: false,
    capabilities: ['session.todo'],
    background: 'always',
    describeCall: () => ({ paths: [], urls: [] }),
    execute: async (input: unknown) => {
      // Checked against the schema above.
      began((input as { key: string }).key);
      return 'ok';
    },
  };
}

function program(began: (key: string) => void): Tool {
  const bash = builtInTools({ environment: process.env, memory: new MemoryStore() }).find(
    ({ name }) => name === 'bash',
  );
  if (bash?.executeStream === undefined) throw new Error('bench: there is no bash');
  const { execute, executeStream } = bash;
  const begin = (input: unknown): void => began((input as { command: string }).command.slice(5));
  return {
    ...bash,
    name: 'program',
    background: 'always',
    execute: async (input, context, options) => {
      begin(input);
      return execute(input, context, options);
    },
    async *executeStream(input, context, options) {
      begin(input);
      yield* executeStream(input, context, options);
    },
  };
}

export function contextIn(folder: string, scrubber: SecretScrubber): RunContext {
  return new RunContext({
    cwd: folder,
    projectRoot: folder,
    scratchDir: `${folder}/scratch`,
    dataDir: `${folder}/home`,
    sessionId: newId('SessionId'),
    runId: newId('RunId'),
    meta: {},
    log: silentLogger,
    entries: { append: async () => undefined },
    scrubber,
    reads: new ReadRecords(),
    locks: processPathLocks,
  });
}
