import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  silentLogger,
  type Context,
  type ReadState,
  type RunId,
  type SessionEntry,
  type SessionId,
  type ToolOptions,
} from '@wrongstack/contracts';

/** A scratch project with a context over it: real files, real read states. For specs of this library only. */
export interface TestProject {
  readonly root: string;
  /** A folder outside the project. */
  readonly outside: string;
  readonly ctx: Context;
  readonly entries: SessionEntry[];
  write(path: string, content: string | Uint8Array): Promise<string>;
  at(path: string): string;
  dispose(): Promise<void>;
}

export async function createTestProject(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'wstack-tools-')));
  const root = join(home, 'ws');
  const outside = join(home, 'out');
  await Promise.all([mkdir(root), mkdir(outside), mkdir(join(home, 'scratch')), mkdir(join(home, 'data'))]);
  const entries: SessionEntry[] = [];
  const project: TestProject = {
    root,
    outside,
    entries,
    ctx: createContext(home, root, entries),
    at: (path) => join(root, path),
    write: async (path, content) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
      return join(root, path);
    },
    dispose: () => rm(home, { recursive: true, force: true }),
  };
  for (const [path, content] of Object.entries(files)) await project.write(path, content);
  return project;
}

export function toolOptions(more: Partial<ToolOptions> = {}): ToolOptions {
  return { signal: new AbortController().signal, ...more };
}

interface Seen {
  readonly mtimeMs: number;
  readonly mtimeNs: bigint;
  readonly size: bigint;
}

function createContext(home: string, root: string, entries: SessionEntry[]): Context {
  const reads = new Map<string, Seen>();
  const locks = new Map<string, Promise<unknown>>();
  const look = (path: string): Seen => {
    const { mtimeNs, size } = statSync(path, { bigint: true });
    return { mtimeMs: statSync(path).mtimeMs, mtimeNs, size };
  };
  const remember = (path: string): void => {
    reads.set(path, look(path));
  };
  return {
    cwd: root,
    projectRoot: root,
    // Plain strings stand for branded ids in tests.
    sessionId: 's-test' as SessionId,
    runId: 'r-test' as RunId,
    scratchDir: join(home, 'scratch'),
    dataDir: join(home, 'data'),
    meta: {},
    log: silentLogger,
    session: {
      append: async (entry) => {
        entries.push(entry);
      },
    },
    recordRead: remember,
    hasRead: (path) => reads.has(path),
    lastReadMtime: (path) => reads.get(path)?.mtimeMs,
    readState: async (path): Promise<ReadState> => {
      if (!existsSync(path)) return { kind: 'missing' };
      const seen = reads.get(path);
      const now = look(path);
      if (seen === undefined) return { kind: 'unread' };
      return { kind: seen.mtimeNs === now.mtimeNs && seen.size === now.size ? 'fresh' : 'stale' };
    },
    recordWrite: async (path) => remember(path),
    withPathLock: async (path, work) => {
      const before = locks.get(path) ?? Promise.resolve();
      const running = before.then(work, work);
      locks.set(
        path,
        running.catch(() => undefined),
      );
      return running;
    },
    registerAbortHook: () => () => undefined,
    tools: { register: () => () => undefined },
  };
}

/** All text of a result, block after block. */
export function textOf(output: { readonly content: readonly { readonly type: string }[] }): string {
  return output.content.map((block) => ('text' in block ? String(block.text) : '')).join('\n');
}

/** The stable code of what a promise rejects with; fails when it does not reject. */
export async function codeOfRejection(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error
      ? String(error.code)
      : String(error);
  }
  throw new Error('it did not reject');
}
