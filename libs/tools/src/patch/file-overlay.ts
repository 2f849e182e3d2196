import { lstat } from 'node:fs/promises';
import { WrongStackError, codeOf, type Context, type ToolOptions } from '@wrongstack/contracts';
import { changedSinceRead, readTextFile, type TextFile } from '../fs/text-file.js';
import { locate, type Location } from '../paths/locate.js';
import { notFound, openFile } from '../paths/open-file.js';
import { resolveInput } from '../paths/resolve-path.js';
import { encode, type TextFormat } from '../text/text-encoding.js';
import type { PlannedFile } from './commit-files.js';

/** A file as it will be. */
export interface Draft {
  readonly text: string;
  readonly format: TextFormat;
  readonly executable: boolean | undefined;
}

export interface OverlayFile {
  readonly location: Location;
  /** As it is on disk; null = it is not there. The text of a file that only goes away may be left out. */
  readonly original: TextFile | null;
  /** Null = it will not be there. */
  draft: Draft | null;
}

const NEW_FILE: TextFormat = { encoding: 'utf8', bom: new Uint8Array(0) };

/**
 * The files of one call as they will be when it is done, in memory. A later step sees what an earlier one made, and
 * nothing reaches the disk until the last step has succeeded.
 */
export class FileOverlay {
  private readonly files = new Map<string, OverlayFile>();

  constructor(
    private readonly ctx: Context,
    private readonly opts: ToolOptions,
  ) {}

  async open(path: string): Promise<OverlayFile> {
    const location = await locate(this.ctx, this.opts, path, 'write');
    return this.openAt(location);
  }

  async openAt(location: Location, read = readTextFile): Promise<OverlayFile> {
    this.opts.signal.throwIfAborted();
    const known = this.files.get(location.real);
    if (known !== undefined) return known;
    const original = location.exists ? await read(location) : null;
    if (original !== null) await this.refuseStale(location);
    const file: OverlayFile = {
      location,
      original,
      draft:
        original === null ? null : { text: original.text, format: original.format, executable: undefined },
    };
    this.files.set(location.real, file);
    return file;
  }

  /** A file that is there, for a change that names what it replaces. */
  async existing(path: string): Promise<OverlayFile & { readonly draft: Draft }> {
    const file = await this.open(path);
    if (file.draft === null) throw notFound(file.location.display);
    return { ...file, draft: file.draft };
  }

  /** A file that goes away whatever it holds: it need not be text. */
  async leaving(path: string): Promise<OverlayFile> {
    const location = await locate(this.ctx, this.opts, path, 'write');
    const file = await this.openAt(location, readAnyFile);
    if (file.draft === null) throw notFound(location.display);
    return file;
  }

  set(file: OverlayFile, draft: Draft | null): void {
    const own = this.files.get(file.location.real);
    if (own !== undefined) own.draft = draft;
  }

  create(file: OverlayFile, text: string, executable: boolean | undefined): void {
    this.set(file, { text, format: file.original?.format ?? NEW_FILE, executable });
  }

  /** A file that goes away is named itself: behind a link, another file than the one that was shown would go. */
  async refuseLink(path: string): Promise<void> {
    const entry = await lstat(resolveInput(this.ctx.cwd, path)).catch(() => null);
    if (entry?.isSymbolicLink() === true) {
      throw new WrongStackError('patch.link', `${path} is a link: a patch neither deletes nor moves links`);
    }
  }

  /** Files that will differ from what is on disk, in the order of their first mention. */
  changed(): readonly OverlayFile[] {
    return [...this.files.values()].filter(({ original, draft }) => {
      if (original === null || draft === null) return original !== null || draft !== null;
      return original.text !== draft.text || draft.executable !== undefined;
    });
  }

  private async refuseStale(location: Location): Promise<void> {
    const { kind } = await this.ctx.readState(location.real);
    if (kind === 'stale') {
      throw changedSinceRead(location.display);
    }
  }
}

async function readAnyFile(location: Location): Promise<TextFile> {
  try {
    return await readTextFile(location);
  } catch (error) {
    if (codeOf(error) !== 'fs.binary' && codeOf(error) !== 'fs.too_large') throw error;
    const { handle, stat } = await openFile(location);
    await handle.close();
    return { text: '', format: NEW_FILE, stat };
  }
}

export function plannedFile({ location, original, draft }: OverlayFile): PlannedFile {
  const before = original?.stat ?? null;
  if (draft === null) return { location, before, bytes: null, mode: null };
  const bytes = encode(draft.text, draft.format);
  if (bytes === null) {
    throw new WrongStackError(
      'fs.not_encodable',
      `the new text has characters that ${location.display} (${draft.format.encoding}) cannot hold: nothing was written`,
    );
  }
  return {
    location,
    before,
    bytes,
    mode: modeOf(before === null ? 0o644 : Number(before.mode & 0o7777n), draft.executable),
  };
}

function modeOf(before: number, executable: boolean | undefined): number | null {
  if (executable === undefined) return null;
  // Who may read may run, as git does it.
  return executable ? before | ((before & 0o444) >> 2) : before & ~0o111;
}

/** Locks in one fixed order, so that two calls over the same files never wait for each other. */
export async function withPathLocks<T>(
  ctx: Context,
  paths: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...rest] = [...new Set(paths)].sort();
  if (first === undefined) return work();
  return ctx.withPathLock(first, () => withPathLocks(ctx, rest, work));
}

/** Forget a deleted file, note a written one. */
export async function recordWritten(ctx: Context, files: readonly OverlayFile[]): Promise<void> {
  for (const { location } of files) {
    await ctx.recordWrite(location.real).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  }
}
