import { stat } from 'node:fs/promises';
import {
  type Context,
  type Logger,
  newId,
  type ReadState,
  type SessionEntry,
  silentLogger,
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
  /** Run the abort hooks, in reverse order, as the end of a run does. */
  endRun(): Promise<void>;
}

/** A context over real files, with an in-memory session. */
export function createTestContext(options: TestContextOptions): TestContext {
  const { projectRoot, cwd = projectRoot, scratchDir = projectRoot, dataDir = projectRoot } = options;
  const entries: SessionEntry[] = [];
  const reads = new Map<string, { mtimeMs: number; stamp: string }>();
  const hooks: (() => void | Promise<void>)[] = [];
  const pending = new Set<Promise<unknown>>();
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
    session: { append: async (entry) => void entries.push(entry) },
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
    withPathLock: (_file, work) => work(),
    registerAbortHook(hook) {
      hooks.push(hook);
      return () => {
        const index = hooks.indexOf(hook);
        if (index !== -1) hooks.splice(index, 1);
      };
    },
    async endRun() {
      for (let hook = hooks.pop(); hook !== undefined; hook = hooks.pop()) await hook();
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
