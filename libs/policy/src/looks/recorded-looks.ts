import { codeOf } from '@wrongstack/contracts';
import type { FactFileSystem, FileFacts } from '../facts/fact-file-system.js';

/** One question to a disk, and what it said. */
interface Look {
  readonly ask: (disk: FactFileSystem) => Promise<string>;
  readonly said: () => string;
}

/** More than this is not asked again: looking anew would cost as much as working it out. */
const MOST_LOOKS = 200;
const MOST_BYTES = 16 * 1024;

/**
 * Which questions a piece of work asked of a disk, and what it was told. Work that depends on nothing but its input and these answers
 * comes to the same result for as long as the disk gives the same answers; so a result may be used again once all of them were
 * **asked again**. No answer is ever believed from memory.
 */
export class RecordedLooks {
  readonly #looks = new Map<string, Look>();
  readonly #read = new Map<string, Set<keyof FileFacts>>();
  #tooMuch = false;

  /** The disk, while it is being recorded. */
  on(disk: FactFileSystem): FactFileSystem {
    return {
      platform: disk.platform,
      lstat: (path) => this.#lstat(disk, path),
      readlink: (path) => this.#said(disk, `readlink ${path}`, (on) => on.readlink(path), asIs),
      realpath: (path) => this.#said(disk, `realpath ${path}`, (on) => on.realpath(path), asIs),
      hash: (path) => this.#said(disk, `hash ${path}`, (on) => on.hash(path), asIs),
      list: (path, limit) =>
        this.#said(
          disk,
          `list ${limit} ${path}`,
          (on) => on.list(path, limit),
          (names) => JSON.stringify(names),
        ),
      bytes: (path, from, length) => {
        if (length > MOST_BYTES) this.#tooMuch = true;
        const name = `bytes ${from} ${length} ${path}`;
        return this.#said(
          disk,
          name,
          (on) => on.bytes(path, from, length),
          (bytes) => bytes.toString('base64'),
        );
      },
    };
  }

  /** Whether there are few enough of them to be asked again. */
  get areFew(): boolean {
    return !this.#tooMuch && this.#looks.size <= MOST_LOOKS;
  }

  /** Asks all of them again: does the disk still say the same? */
  async stand(disk: FactFileSystem): Promise<boolean> {
    for (const { ask, said } of this.#looks.values()) if ((await ask(disk)) !== said()) return false;
    return true;
  }

  async #said<Found>(
    disk: FactFileSystem,
    name: string,
    look: (disk: FactFileSystem) => Promise<Found>,
    textOf: (found: Found) => string,
  ): Promise<Found> {
    const ask = (on: FactFileSystem): Promise<string> =>
      look(on).then((found) => `=${textOf(found)}`, failed);
    try {
      const found = await look(disk);
      this.#keep(name, ask, `=${textOf(found)}`);
      return found;
    } catch (error) {
      this.#keep(name, ask, failed(error));
      throw error;
    }
  }

  /** Of what is known about a file, only what was read counts: a folder's time changes with each file in it. */
  async #lstat(disk: FactFileSystem, path: string): Promise<FileFacts> {
    const name = `lstat ${path}`;
    const read = this.#read.get(path) ?? new Set<keyof FileFacts>();
    this.#read.set(path, read);
    const textOf = (facts: FileFacts): string => [...read].map((field) => String(facts[field])).join(' ');
    const ask = (on: FactFileSystem): Promise<string> =>
      on.lstat(path).then((facts) => `=${textOf(facts)}`, failed);
    try {
      const found = await disk.lstat(path);
      const known = this.#looks.get(name);
      if (known === undefined) this.#looks.set(name, { ask, said: () => `=${textOf(found)}` });
      else this.#tooMuch ||= known.said() !== `=${textOf(found)}`;
      return new Proxy(
        { ...found },
        {
          get: (target, field: keyof FileFacts) => {
            read.add(field);
            return target[field];
          },
        },
      );
    } catch (error) {
      this.#keep(name, ask, failed(error));
      throw error;
    }
  }

  #keep(name: string, ask: Look['ask'], said: string): void {
    const known = this.#looks.get(name);
    // Told two things within one piece of work: there is no moment that it is a result of.
    if (known !== undefined && known.said() !== said) this.#tooMuch = true;
    this.#looks.set(name, { ask, said: () => said });
  }
}

const asIs = (text: string): string => text;

function failed(error: unknown): string {
  return `! ${codeOf(error)}`;
}
