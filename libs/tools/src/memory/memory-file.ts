import { constants } from 'node:fs';
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import { withFileLock } from './file-lock.js';
import { memoryOf, parseMemoryLine, type Memory, type MemoryLine } from './memory-record.js';

export interface MemoryState {
  readonly memories: ReadonlyMap<string, Memory>;
  readonly lines: number;
  /** Lines of another version or a broken disk: nobody understands them, so nobody throws them away. */
  readonly foreign: readonly string[];
}

const EMPTY: MemoryState = { memories: new Map(), lines: 0, foreign: [] };

const READ = constants.O_RDONLY | constants.O_NOFOLLOW;
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
const REWRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
const MOST_BYTES = 64 * 1024 * 1024;

/** Lines about what is gone may outnumber what is there by this much before the file is rewritten. */
const SPARE_LINES = 64;

/**
 * One append-only file of memories. A line is written whole and synced before it counts; a process that is killed over
 * one leaves at most a torn last line, which the next writer cuts off. Every writer holds the lock, readers need none.
 */
export class MemoryFile {
  #cached: { readonly stamp: string; readonly state: MemoryState } | null = null;

  constructor(readonly path: string) {}

  async load(): Promise<MemoryState> {
    const handle = await open(this.path, READ).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw this.failed('read', error);
    });
    if (handle === null) return EMPTY;
    try {
      return await this.loadFrom(handle);
    } finally {
      await handle.close();
    }
  }

  /**
   * Adds the line that `decide` makes of the newest state, or none when it answers null. What it answers comes from the
   * same state that the line is added to: two processes never both take the last free place.
   */
  async change(decide: (state: MemoryState) => MemoryLine | null, signal: AbortSignal): Promise<boolean> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    return withFileLock(`${this.path}.lock`, { signal }, async () => {
      const handle = await open(this.path, APPEND, 0o600).catch((error: unknown) => {
        throw this.failed('written', error);
      });
      try {
        const state = await this.loadFrom(handle);
        const line = decide(state);
        if (line === null) return false;
        await this.append(handle, line);
        const after = await this.loadFrom(handle);
        if (after.lines > 2 * after.memories.size + SPARE_LINES) await this.compact(after);
        return true;
      } catch (error) {
        throw error instanceof WrongStackError ? error : this.failed('written', error);
      } finally {
        await handle.close();
      }
    });
  }

  private async append(handle: FileHandle, line: MemoryLine): Promise<void> {
    await mendTail(handle);
    const { size } = await handle.stat();
    try {
      await handle.appendFile(`${JSON.stringify(line)}\n`);
      await handle.datasync();
    } catch (error) {
      // A full disk takes half a line: what was there before stays what is there.
      await handle.truncate(size).catch(() => undefined);
      throw error;
    }
  }

  /** The same memories without the lines that say nothing any more. The old file holds until the new one is complete. */
  private async compact(state: MemoryState): Promise<void> {
    const beside = `${this.path}.new`;
    const puts = [...state.memories.values()].map((memory) => JSON.stringify({ v: 1, op: 'put', ...memory }));
    const handle = await open(beside, REWRITE, 0o600);
    try {
      await handle.writeFile([...state.foreign, ...puts].map((line) => `${line}\n`).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, this.path);
    this.#cached = null;
  }

  private async loadFrom(handle: FileHandle): Promise<MemoryState> {
    const { ino, dev, size, mtimeNs } = await handle.stat({ bigint: true });
    if (size > BigInt(MOST_BYTES)) {
      throw new WrongStackError('memory.too_large', `${this.path} has ${String(size)} bytes: move it away`);
    }
    const stamp = [dev, ino, size, mtimeNs].join(':');
    if (this.#cached?.stamp === stamp) return this.#cached.state;
    const buffer = Buffer.alloc(Number(size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const state = replay(buffer.toString('utf8', 0, bytesRead));
    this.#cached = { stamp, state };
    return state;
  }

  private failed(what: 'read' | 'written', cause: unknown): WrongStackError {
    return new WrongStackError('memory.failed', `${this.path} cannot be ${what}: ${codeOf(cause)}`, {
      cause,
    });
  }
}

function replay(text: string): MemoryState {
  const memories = new Map<string, Memory>();
  const foreign: string[] = [];
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  // Behind the last newline stands nothing, a line that is being written, or one that never will be.
  if (parseMemoryLine(rest) !== null) lines.push(rest);
  for (const text of lines) {
    const line = parseMemoryLine(text);
    if (line === null) {
      if (text.trim() !== '') foreign.push(text);
      continue;
    }
    // Deleted first, so that the order of a map is the order of the last change.
    memories.delete(line.id);
    if (line.op === 'put') memories.set(line.id, memoryOf(line));
  }
  return { memories, lines: lines.length, foreign };
}

/** A last line without its newline gets one when it is whole, and is cut off when it was torn: it was never confirmed. */
async function mendTail(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  const tail = Buffer.alloc(Math.min(size, 256 * 1024));
  await handle.read(tail, 0, tail.length, size - tail.length);
  const rest = tail.subarray(tail.lastIndexOf(10) + 1);
  if (rest.length === 0) return;
  // Longer than any line of ours: whatever it is, it is not ours to cut.
  const foreign = rest.length === tail.length && tail.length < size;
  if (foreign || parseMemoryLine(rest.toString('utf8')) !== null) await handle.appendFile('\n');
  else await handle.truncate(size - rest.length);
}
