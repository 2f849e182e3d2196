import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, isoNow, sha256 } from '@wrongstack/contracts';
import type { FoundPlugin } from '../discovery/plugin-source.js';
import type { PluginErrorCode } from '../loader/plugin-error.js';

/** Something that went wrong in a plugin while another process had it loaded. */
export interface EarlierFault {
  readonly code: PluginErrorCode;
  /** Without secrets, at most 500 characters. */
  readonly message: string;
  readonly times: number;
  /** ISO 8601. */
  readonly lastAt: string;
}

export interface FaultJournalOptions {
  /** In the agent's home; made when there is something to keep. */
  readonly folder: string;
  readonly clock: Clock;
  readonly scrub: (text: string) => string;
}

type Source = Pick<FoundPlugin, 'name' | 'entry'>;

interface Noted {
  readonly source: Source;
  readonly faults: Map<string, EarlierFault>;
}

const MOST_FAULTS = 20;
const MOST_TEXT = 500;
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * The faults of hooks, listeners, middleware and teardowns, kept for whoever asks later: `plugin list` is another process than
 * the run in which something threw. One 0600 file for each plugin, which counts for seven days and as long as the plugin's
 * main file is what it was then. It is there to be read by people and nothing hangs on it: a file that is not understood is written anew, and of
 * two processes that write at once one may lose a count.
 */
export class FaultJournal {
  readonly #options: FaultJournalOptions;
  #noted = new Map<string, Noted>();
  #writing: Promise<void> | null = null;

  constructor(options: FaultJournalOptions) {
    this.#options = options;
  }

  /** Never throws. A fault that is new to this process is on its way to the disk at once, in case the process ends badly. */
  note(source: Source, code: PluginErrorCode, text: string): void {
    const { clock, scrub } = this.#options;
    const message = scrub(text).slice(0, MOST_TEXT);
    const noted = this.#noted.get(source.entry) ?? { source, faults: new Map<string, EarlierFault>() };
    this.#noted.set(source.entry, noted);
    const key = `${code} ${message}`;
    const known = noted.faults.get(key);
    if (known === undefined && noted.faults.size >= MOST_FAULTS) return;
    noted.faults.set(key, { code, message, times: (known?.times ?? 0) + 1, lastAt: isoNow(clock) });
    if (known === undefined) this.#begin();
  }

  /** Until all that was noted is on the disk. Never rejects. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    if (this.#noted.size === 0) return;
    this.#begin();
    await this.flush();
  }

  /** By plugin name; nothing for a plugin that has changed since. Never rejects. */
  async read(sources: readonly Source[]): Promise<ReadonlyMap<string, readonly EarlierFault[]>> {
    const present = new Set(await readdir(this.#options.folder).catch(() => []));
    const found = new Map<string, readonly EarlierFault[]>();
    for (const source of sources) {
      if (!present.has(fileName(source))) continue;
      const digest = await digestOf(source);
      const faults = digest === null ? [] : await this.#kept(source, digest);
      if (faults.length > 0) found.set(source.name, faults);
    }
    return found;
  }

  #begin(): void {
    if (this.#writing !== null) return;
    // Whatever is noted while this is being written waits for the next fault, or for the end.
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  async #writeAll(): Promise<void> {
    // Faults come in swarms: one turn of the event loop gathers what belongs together.
    await new Promise((resolve) => setImmediate(resolve));
    const noted = [...this.#noted.values()];
    this.#noted = new Map();
    for (const { source, faults } of noted) {
      try {
        await this.#write(source, [...faults.values()]);
      } catch {
        // A home that cannot be written is told of elsewhere, and no run fails for want of this file.
      }
    }
  }

  async #write(source: Source, faults: readonly EarlierFault[]): Promise<void> {
    const digest = await digestOf(source);
    if (digest === null) return;
    const { folder } = this.#options;
    const merged = newest([...(await this.#kept(source, digest)), ...faults]);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, fileName(source));
    const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const { name, entry } = source;
      const content = { version: 1, name, entry, digest, faults: merged };
      await writeFile(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(beside, file);
    } finally {
      await rm(beside, { force: true });
    }
  }

  async #kept(source: Source, digest: string): Promise<readonly EarlierFault[]> {
    try {
      const text = await readFile(path.join(this.#options.folder, fileName(source)), 'utf8');
      const file = JSON.parse(text) as Record<string, unknown> | null;
      if (file?.['version'] !== 1 || file['digest'] !== digest || !Array.isArray(file['faults'])) return [];
      const since = new Date(this.#options.clock.now() - KEPT_MS).toISOString();
      return file['faults'].filter(isFault).filter(({ lastAt }) => lastAt >= since);
    } catch {
      return [];
    }
  }
}

/** By where it lies, since several projects may each have a plugin of one name. */
function fileName({ entry }: Source): string {
  return `${createHash('sha256').update(entry).digest('hex').slice(0, 32)}.json`;
}

/** Of the main file alone: the folder around a plugin of one file may be somebody's whole home. */
async function digestOf({ entry }: Source): Promise<string | null> {
  try {
    return sha256(await readFile(entry, 'utf8'));
  } catch {
    return null;
  }
}

/** Equal ones are added up; the newest stay. */
function newest(faults: readonly EarlierFault[]): readonly EarlierFault[] {
  const byText = new Map<string, EarlierFault>();
  for (const fault of faults) {
    const key = `${fault.code} ${fault.message}`;
    const known = byText.get(key);
    byText.set(key, { ...fault, times: fault.times + (known?.times ?? 0) });
  }
  return [...byText.values()].sort((a, b) => b.lastAt.localeCompare(a.lastAt)).slice(0, MOST_FAULTS);
}

function isFault(value: unknown): value is EarlierFault {
  const { code, message, times, lastAt } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof code === 'string' &&
    typeof message === 'string' &&
    typeof times === 'number' &&
    typeof lastAt === 'string'
  );
}
