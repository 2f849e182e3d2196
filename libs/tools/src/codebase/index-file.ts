import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import { INDEX_HEADER } from './index-record.js';

/** Where the index of a project lies: in the agent's data folder, never in the project. */
export function indexFolder(dataDir: string, root: string): string {
  return join(dataDir, 'index', createHash('sha256').update(root).digest('hex').slice(0, 24));
}

const NAME = 'index.jsonl';
const ABANDONED_MS = 3_600_000;
const CHUNK_BYTES = 1024 * 1024;
const MOST_LINE_BYTES = 8 * 1024 * 1024;

export interface IndexLine {
  readonly text: string;
  /** Place of the line in the file. */
  readonly start: number;
  readonly bytes: number;
}

/** An index that is on disk, as it was when it was opened: a newer one takes its name, not its content. */
export class IndexFile {
  private constructor(private readonly handle: FileHandle) {}

  /** Null when there is none, or none of this form. */
  static async open(folder: string): Promise<IndexFile | null> {
    const handle = await open(join(folder, NAME), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
      () => null,
    );
    if (handle === null) return null;
    const head = Buffer.alloc(INDEX_HEADER.length + 1);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (head.subarray(0, bytesRead).toString('utf8') === `${INDEX_HEADER}\n`) return new IndexFile(handle);
    await handle.close();
    return null;
  }

  /** All lines behind the header; a last one without its end is left out. */
  async *lines(): AsyncGenerator<IndexLine, void, undefined> {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let waiting: Buffer = Buffer.alloc(0);
    let start = INDEX_HEADER.length + 1;
    for (let at = start; ;) {
      const { bytesRead } = await this.handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      waiting = Buffer.concat([waiting, chunk.subarray(0, bytesRead)]);
      let from = 0;
      for (let end = waiting.indexOf(10); end !== -1; end = waiting.indexOf(10, from)) {
        yield { text: waiting.toString('utf8', from, end), start, bytes: end - from };
        start += end - from + 1;
        from = end + 1;
      }
      waiting = Buffer.from(waiting.subarray(from));
      if (waiting.length > MOST_LINE_BYTES) return;
    }
  }

  async read(line: Pick<IndexLine, 'start' | 'bytes'>): Promise<string> {
    const buffer = Buffer.alloc(line.bytes);
    await this.handle.read(buffer, 0, line.bytes, line.start);
    return buffer.toString('utf8');
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/**
 * A new index beside the old one. It gets its name only when it is complete and on disk, so a crash, a full disk or a
 * second process leaves the old one or a whole new one, and readers keep what they opened.
 */
export class IndexWriter {
  private waiting: string[] = [];
  private waitingLength = 0;

  private constructor(
    private readonly handle: FileHandle,
    private readonly temporary: string,
    private readonly folder: string,
  ) {}

  static async create(folder: string): Promise<IndexWriter> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeAbandoned(folder);
      const temporary = join(folder, `${randomBytes(6).toString('hex')}.tmp`);
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
      const writer = new IndexWriter(await open(temporary, flags, 0o600), temporary, folder);
      await writer.add(INDEX_HEADER);
      return writer;
    } catch (error) {
      throw writeError(folder, error);
    }
  }

  async add(line: string): Promise<void> {
    this.waiting.push(line, '\n');
    this.waitingLength += line.length + 1;
    if (this.waitingLength >= CHUNK_BYTES) await this.flush();
  }

  async finish(): Promise<void> {
    try {
      await this.flush();
      await this.handle.sync();
      await this.handle.close();
      await rename(this.temporary, join(this.folder, NAME));
    } catch (error) {
      await this.discard();
      throw writeError(this.folder, error);
    }
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await unlink(this.temporary).catch(() => undefined);
  }

  private async flush(): Promise<void> {
    const text = this.waiting.join('');
    this.waiting = [];
    this.waitingLength = 0;
    await this.handle.appendFile(text);
  }
}

/** Of a process that ended while it wrote. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.tmp')) continue;
    const entry = await stat(join(folder, name)).catch(() => null);
    if (entry !== null && Date.now() - entry.mtimeMs > ABANDONED_MS)
      await unlink(join(folder, name)).catch(() => undefined);
  }
}

function writeError(folder: string, error: unknown): unknown {
  if (error instanceof WrongStackError) return error;
  return new WrongStackError(
    'index.not_written',
    `the index in ${folder} was not written: ${codeOf(error)}; the old one is untouched`,
    { cause: error },
  );
}
