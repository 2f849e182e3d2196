import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { WrongStackError, type ToolOptions } from '@wrongstack/contracts';
import { openFile } from '../paths/open-file.js';
import { listFiles } from '../search/list-files.js';
import type { LocateRipgrep } from '../search/ripgrep.js';
import { isCredentialPath } from '../search/skipped-names.js';
import { decode, detectFormat } from '../text/text-encoding.js';
import { extractSymbols } from './extract-symbols.js';
import { IndexFile, IndexWriter, indexFolder, type IndexLine } from './index-file.js';
import { readHead, recordLine, UNREADABLE_MTIME, type FileRecord } from './index-record.js';
import { termsOf } from './terms.js';

export interface IndexUpdate {
  readonly files: number;
  /** Read anew, because they are new or changed. */
  readonly updated: number;
  readonly removed: number;
  /** Known by their names alone, since they could not be read. */
  readonly unreadable: number;
  /** There were more files than an index takes. */
  readonly cut: boolean;
}

export interface IndexProgress {
  readonly files: number;
  readonly total: number;
}

const MOST_FILES = 100_000;
/** Larger ones are data or generated. */
export const MOST_FILE_BYTES = 1024 * 1024;
const BATCH = 64;

interface Known extends Pick<IndexLine, 'start' | 'bytes'> {
  readonly size: number;
  readonly mtimeNs: string;
}

interface Found {
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: string;
}

/**
 * Bring the index of `root` up to date. A file whose size and time are as they were keeps its line; only the others are
 * read, a batch at a time, and nothing is written when nothing changed. Yields progress.
 */
export async function* updateIndex(
  root: string,
  dataDir: string,
  ripgrep: LocateRipgrep,
  opts: ToolOptions,
): AsyncGenerator<IndexProgress, IndexUpdate, undefined> {
  const folder = indexFolder(dataDir, root);
  const { paths, cut } = await listSources(root, ripgrep, opts);
  const old = await IndexFile.open(folder);
  try {
    const known = old === null ? new Map<string, Known>() : await knownFiles(old, opts);
    const found = await stats(root, paths, opts);
    const closed = await stillUnreadable(root, found, known);
    const changed = found.filter(({ path, ...file }) => !closed.has(path) && !isSame(known.get(path), file));
    const names = new Set(found.map(({ path }) => path));
    const removed = [...known.keys()].filter((path) => !names.has(path)).length;
    const update = { files: found.length, updated: changed.length, removed, cut };
    if (old !== null && changed.length === 0 && removed === 0) return { ...update, unreadable: closed.size };
    let unreadable = 0;
    const writer = await IndexWriter.create(folder);
    let complete = false;
    try {
      for (let from = 0; from < found.length; from += BATCH) {
        opts.signal.throwIfAborted();
        for (const line of await linesOf(root, found.slice(from, from + BATCH), known, old)) {
          if (readHead(line)?.mtimeNs === UNREADABLE_MTIME) unreadable += 1;
          await writer.add(line);
        }
        yield { files: Math.min(from + BATCH, found.length), total: found.length };
      }
      complete = true;
      await writer.finish();
    } finally {
      if (!complete) await writer.discard();
    }
    return { ...update, unreadable };
  } finally {
    await old?.close();
  }
}

async function listSources(
  root: string,
  ripgrep: LocateRipgrep,
  opts: ToolOptions,
): Promise<{ readonly paths: readonly string[]; readonly cut: boolean }> {
  const paths: string[] = [];
  const end = await listFiles({
    root,
    opts,
    locate: ripgrep,
    onFile: (path) => {
      if (!isCredentialPath(path)) paths.push(path);
      return paths.length < MOST_FILES ? 'more' : 'stop';
    },
  });
  if (end === 'timed-out') {
    throw new WrongStackError(
      'index.too_large',
      `${root} takes too long to list: add its data folders to an ignore file`,
    );
  }
  return { paths, cut: end === 'stopped' };
}

/** Where each file's line stands in the index; a line that cannot be read is a file that is not known. */
async function knownFiles(index: IndexFile, opts: ToolOptions): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for await (const { text, start, bytes } of index.lines()) {
    opts.signal.throwIfAborted();
    const head = readHead(text);
    if (head !== null && text.endsWith('}]')) known.set(head.path, { ...head, start, bytes });
  }
  return known;
}

async function stats(root: string, paths: readonly string[], opts: ToolOptions): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (let from = 0; from < paths.length; from += BATCH) {
    opts.signal.throwIfAborted();
    const batch = paths.slice(from, from + BATCH);
    const entries = await Promise.all(
      batch.map((path) => lstat(join(root, path), { bigint: true }).catch(() => null)),
    );
    batch.forEach((path, index) => {
      const entry = entries[index];
      if (entry?.isFile() !== true) return;
      found.push({ path, size: Number(entry.size), mtimeNs: String(entry.mtimeNs) });
    });
  }
  return found;
}

/** Of those that could not be read the last time: whoever may read one now finds it like a changed one. */
async function stillUnreadable(
  root: string,
  found: readonly Found[],
  known: ReadonlyMap<string, Known>,
): Promise<ReadonlySet<string>> {
  const closed = found.filter(({ path }) => known.get(path)?.mtimeNs === UNREADABLE_MTIME);
  const tried = await Promise.all(
    closed.map(({ path }) =>
      openFile({ real: join(root, path), exists: true, display: basename(path) }).then(
        ({ handle }) => handle.close().then(() => []),
        () => [path],
      ),
    ),
  );
  return new Set(tried.flat());
}

function isSame(known: Known | undefined, file: Pick<Found, 'size' | 'mtimeNs'>): boolean {
  return known?.size === file.size && known.mtimeNs === file.mtimeNs;
}

async function linesOf(
  root: string,
  files: readonly Found[],
  known: ReadonlyMap<string, Known>,
  old: IndexFile | null,
): Promise<readonly string[]> {
  return Promise.all(
    files.map(async (file) => {
      const line = known.get(file.path);
      return old !== null && line !== undefined && isSame(line, file)
        ? old.read(line)
        : recordLine(await recordOf(root, file));
    }),
  );
}

/** A file that is no text or too large is kept with its name alone, so that it is not tried again. */
async function recordOf(root: string, file: Found): Promise<FileRecord> {
  const read = file.size > MOST_FILE_BYTES ? '' : await readSource(root, file.path);
  const source = read ?? '';
  const { counts, length } = termsOf(`${file.path}\n${source}`);
  const mtimeNs = read === null ? UNREADABLE_MTIME : file.mtimeNs;
  return { ...file, mtimeNs, length, symbols: extractSymbols(file.path, source), terms: counts };
}

/** Null for a file that cannot be read. */
async function readSource(root: string, path: string): Promise<string | null> {
  try {
    const { handle } = await openFile({ real: join(root, path), exists: true, display: basename(path) });
    try {
      const bytes = await handle.readFile();
      const format = detectFormat(bytes, true);
      return format === null || bytes.length > 2 * MOST_FILE_BYTES ? '' : decode(bytes, format);
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}
