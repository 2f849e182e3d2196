import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, messageOf, nothingAt, readTextIfThere, UnreadableFile } from '@wrongstack/contracts';
import { onceATurn } from '../looks/once-a-turn.js';
import { promptly } from '../looks/prompt-look.js';
import { withFileLock } from './file-lock.js';
import type { TrustEntry, TrustView } from './trust-entry.js';
import { corrupt, readTrustFile, writeTrustFile } from './trust-file.js';

/** What one project's people said "always" and "never" to. */
export abstract class TrustStore {
  /** Never throws: a file that cannot be read is corrupt. */
  abstract view(): Promise<TrustView>;
  /** Throws `trust.corrupt` when there is a file that is not understood: it is kept, never overwritten. */
  abstract add(entries: readonly TrustEntry[]): Promise<void>;
  abstract list(): Promise<readonly TrustEntry[]>;
  /** False when there was no such entry. */
  abstract revoke(id: string): Promise<boolean>;
}

/** The trust stores of all projects on this machine. */
export abstract class TrustStores {
  /** `project` is the real path of the project root. */
  abstract forProject(project: string): TrustStore;
}

export class FileTrustStores extends TrustStores {
  private readonly stores = new Map<string, FileTrustStore>();

  constructor(private readonly agentHome: string) {
    super();
  }

  override forProject(project: string): TrustStore {
    const known = this.stores.get(project);
    if (known !== undefined) return known;
    const store = new FileTrustStore(trustFileOf(this.agentHome, project), project);
    this.stores.set(project, store);
    return store;
  }
}

/** Named by a hash of the real path, so that two projects never share a file and no path has to be escaped. */
export function trustFileOf(agentHome: string, project: string): string {
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 32);
  return join(agentHome, 'projects', hash, 'trust.json');
}

/** What others can write could be their grants. */
const READING = { mostBytes: 4 * 1024 * 1024, refuseLinks: true, ownersAlone: true } as const;
const LOOK = { bigint: true, throwIfNoEntry: false } as const;

export class FileTrustStore extends TrustStore {
  private cached: { readonly stamp: string; readonly view: TrustView } | null = null;
  private readonly viewNow = onceATurn((_all: null) => this.currentView(), 'tick');

  constructor(
    readonly file: string,
    private readonly project: string,
  ) {
    super();
  }

  /** Read again whenever the file changed: a grant that was revoked in another terminal is gone for the next call. */
  override view(): Promise<TrustView> {
    return this.viewNow(null);
  }

  private async currentView(): Promise<TrustView> {
    const stamp = await this.stamp();
    if (stamp === 'none') return { status: 'ok', entries: [] };
    if (this.cached?.stamp === stamp) return this.cached.view;
    const view = await this.readView();
    // Only remembered when nothing moved while reading.
    if ((await this.stamp()) === stamp) this.cached = { stamp, view };
    return view;
  }

  override async add(entries: readonly TrustEntry[]): Promise<void> {
    await this.change((known) => {
      const replaced = new Set(entries.map(sameGrant));
      return [...known.filter((entry) => !replaced.has(sameGrant(entry))), ...entries];
    });
  }

  override async list(): Promise<readonly TrustEntry[]> {
    return this.readEntries();
  }

  override async revoke(id: string): Promise<boolean> {
    let found = false;
    await this.change((known) => {
      found = known.some((entry) => entry.id === id);
      return known.filter((entry) => entry.id !== id);
    });
    return found;
  }

  private async change(update: (known: readonly TrustEntry[]) => readonly TrustEntry[]): Promise<void> {
    // Before a folder is made: behind a link that leads nowhere, one would appear elsewhere.
    await this.readText();
    const folder = dirname(this.file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await withFileLock(`${this.file}.lock`, async () => {
      const known = await this.readEntries();
      const next = update(known);
      if (next.length === known.length && next.every((entry, index) => entry === known[index])) return;
      await this.replace(writeTrustFile(this.project, next));
    });
  }

  /** Whole or not at all, also across a crash: written beside, flushed, renamed, and the folder flushed too. */
  private async replace(text: string): Promise<void> {
    const draft = `${this.file}.${randomBytes(8).toString('hex')}.tmp`;
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, this.file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    this.cached = null;
    await flushFolder(dirname(this.file));
  }

  private async readView(): Promise<TrustView> {
    try {
      return { status: 'ok', entries: await this.readEntries() };
    } catch (error) {
      return { status: 'corrupt', file: this.file, reason: messageOf(error) };
    }
  }

  private async readEntries(): Promise<readonly TrustEntry[]> {
    const text = await this.readText();
    return text === null ? [] : readTrustFile(text, this.file, this.project);
  }

  private async readText(): Promise<string | null> {
    try {
      return await readTextIfThere(this.file, READING);
    } catch (error) {
      if (error instanceof UnreadableFile) throw corrupt(this.file, error.why, error);
      throw error;
    }
  }

  private async stamp(): Promise<string> {
    try {
      const stats = await promptly(() => statSync(this.file, LOOK));
      if (stats === undefined) return nothingAt(this.file) ? 'none' : 'failed:ENOENT';
      const { mtimeNs, ctimeNs, size, ino } = stats;
      return `${mtimeNs}:${ctimeNs}:${size}:${ino}`;
    } catch (error) {
      return `failed:${codeOf(error)}`;
    }
  }
}

/** So that the rename survives a crash. Some platforms cannot open a folder; there it has to do without. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Two entries with the same key say the same thing; the later one counts. */
function sameGrant(entry: TrustEntry): string {
  const { effect, tool, owner, definitionDigest, subject } = entry;
  return JSON.stringify([effect, tool, owner, definitionDigest, subject]);
}
