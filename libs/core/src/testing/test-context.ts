import { stat } from 'node:fs/promises';
import {
  type Context,
  type Disposer,
  type Logger,
  newId,
  type ReadState,
  type SessionEntry,
  silentLogger,
  type Tool,
  WrongStackError,
} from '@wrongstack/contracts';

export interface TestContextOptions {
  /** The project; also the working folder unless `cwd` says otherwise. */
  readonly projectRoot: string;
  readonly cwd?: string;
  readonly scratchDir?: string;
  readonly dataDir?: string;
  readonly log?: Logger;
}

export interface TestContext extends Context {
  /** Everything that was appended to the session. */
  readonly entries: readonly SessionEntry[];
  /** What a module's `apply(ctx)` registered and has not disposed of. */
  readonly registered: readonly Tool[];
  /** Run the abort hooks, in reverse order, as the end of a run does. */
  endRun(): Promise<void>;
}

/** A context over real files, with an in-memory session. */
export function createTestContext(options: TestContextOptions): TestContext {
  const { projectRoot, cwd = projectRoot, scratchDir = projectRoot, dataDir = projectRoot } = options;
  const entries: SessionEntry[] = [];
  const registered: Tool[] = [];
  const hooks: (() => void | Promise<void>)[] = [];
  return {
    cwd,
    projectRoot,
    scratchDir,
    dataDir,
    sessionId: newId('SessionId'),
    runId: newId('RunId'),
    meta: {},
    log: options.log ?? silentLogger,
    entries,
    registered,
    session: { append: async (entry) => void entries.push(entry) },
    tools: {
      register(tool) {
        if (registered.some(({ name }) => name === tool.name))
          throw new WrongStackError('tool.exists', `tool ${tool.name} is already registered`);
        return added(registered, tool);
      },
    },
    ...readRecords(),
    ...pathLocks(),
    registerAbortHook: (hook) => added(hooks, hook),
    async endRun() {
      for (let hook = hooks.pop(); hook !== undefined; hook = hooks.pop()) await hook();
    },
  };
}

function added<T>(list: T[], item: T): Disposer {
  list.push(item);
  return () => {
    const index = list.indexOf(item);
    if (index !== -1) list.splice(index, 1);
  };
}

type ReadMethods = Pick<Context, 'recordRead' | 'hasRead' | 'lastReadMtime' | 'readState' | 'recordWrite'>;

function readRecords(): ReadMethods {
  const reads = new Map<string, { mtimeMs: number; stamp: string }>();
  const pending = new Set<Promise<unknown>>();
  return {
    recordRead(file, mtimeMs) {
      reads.set(file, { mtimeMs, stamp: '' });
      // As in the host: what the file is at this moment is looked up, and awaited before it is compared.
      const taken = stampOf(file).then((stamp) => reads.set(file, { mtimeMs, stamp: stamp ?? '' }));
      pending.add(taken);
      void taken.finally(() => pending.delete(taken));
    },
    hasRead: (file) => reads.has(file),
    lastReadMtime: (file) => reads.get(file)?.mtimeMs,
    async readState(file): Promise<ReadState> {
      await Promise.all(pending);
      const now = await stampOf(file);
      if (now === null) return { kind: 'missing' };
      const read = reads.get(file);
      if (read === undefined) return { kind: 'unread' };
      return { kind: read.stamp === now ? 'fresh' : 'stale' };
    },
    async recordWrite(file) {
      const { mtimeMs } = await stat(file);
      reads.set(file, { mtimeMs, stamp: (await stampOf(file)) ?? '' });
    },
  };
}

function pathLocks(): Pick<Context, 'withPathLock'> {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async withPathLock(file, work) {
      const before = tails.get(file) ?? Promise.resolve();
      // Whoever held it before may have failed; the lock is free all the same.
      const mine = before.catch(() => undefined).then(work);
      tails.set(file, mine);
      return mine;
    },
  };
}

async function stampOf(file: string): Promise<string | null> {
  try {
    const { mtimeNs, size } = await stat(file, { bigint: true });
    return `${String(mtimeNs)}:${String(size)}`;
  } catch {
    return null;
  }
}
