import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  codeOf,
  parseStrictJson,
  readTextIfThere,
  sha256,
  UnreadableFile,
  WrongStackError,
} from '@wrongstack/contracts';
import {
  BundleStore,
  type BundleFloor,
  type BundleTexts,
  type StoredTexts,
} from '@wrongstack/contracts/control';
import type { SignedText } from '@wrongstack/contracts/wire';
import { FileLock } from '../files/file-lock.js';
import { ensurePrivateFolder, writePrivateFile } from '../files/private-files.js';

const FILES = { keys: 'keys.json', held: 'bundle.json', time: 'time', floor: 'floor.json' } as const;
/** More than any bundle that was ever fetched. */
const READING = { mostBytes: 64 * 1024 * 1024 } as const;
const LOCK_PATIENCE_MS = 10_000;

type Read<T> = { readonly value: T | null; readonly damaged: string | null };

/** Private files in a folder of their own for each root key, so that one server's floor is never another's. */
export class FileBundleStore extends BundleStore {
  override readonly place: string;

  constructor(folder: string, rootKey: string) {
    super();
    this.place = join(folder, sha256(rootKey).slice('sha256:'.length, 'sha256:'.length + 16));
  }

  override async stamp(): Promise<string> {
    const stamps = await Promise.all(
      Object.values(FILES).map(async (name) => {
        try {
          const { mtimeNs, size, ino } = await stat(this.path(name), { bigint: true });
          return `${mtimeNs}:${size}:${ino}`;
        } catch (error) {
          return codeOf(error);
        }
      }),
    );
    return stamps.join(' ');
  }

  override async read(): Promise<StoredTexts> {
    const [keys, held, time, floor] = await Promise.all([
      this.json(FILES.keys, isSignedText),
      this.json(FILES.held, isHeld),
      readTextIfThere(this.path(FILES.time), READING).catch(() => null),
      this.json(FILES.floor, isFloor),
    ]);
    // Keys and time can be fetched again and are verified anyway; a bundle or a floor that is damaged hides what was in force.
    const [damaged = null] = [
      held.damaged === null ? [] : [{ file: this.path(FILES.held), reason: held.damaged }],
      floor.damaged === null ? [] : [{ file: this.path(FILES.floor), reason: floor.damaged }],
    ].flat();
    return { keys: keys.value, held: held.value, time, floor: floor.value, damage: damaged };
  }

  override async change(work: (texts: StoredTexts) => Promise<Partial<BundleTexts>>): Promise<void> {
    await ensurePrivateFolder(this.place);
    const attempt = await FileLock.take(this.path('lock'), LOCK_PATIENCE_MS);
    if (!attempt.taken) {
      throw new WrongStackError(
        'bundle.busy',
        `${this.place} is being written by another process that does not end`,
      );
    }
    try {
      const { keys, held, time, floor } = await work(await this.read());
      if (keys != null) await this.write(FILES.keys, JSON.stringify(keys));
      // The floor comes after what it vouches for: a crash between the two leaves it behind, which is made up for at the next read.
      if (held != null) await this.write(FILES.held, JSON.stringify(held));
      if (time != null) await this.write(FILES.time, time);
      if (floor != null) await this.write(FILES.floor, JSON.stringify(floor));
    } finally {
      attempt.lock.release();
    }
  }

  private path(name: string): string {
    return join(this.place, name);
  }

  private write(name: string, content: string): Promise<void> {
    return writePrivateFile(this.path(name), content);
  }

  private async json<T>(name: string, isRight: (value: unknown) => value is T): Promise<Read<T>> {
    try {
      const text = await readTextIfThere(this.path(name), READING);
      if (text === null) return { value: null, damaged: null };
      const value = parseStrictJson(text);
      if (isRight(value)) return { value, damaged: null };
    } catch (error) {
      if (error instanceof UnreadableFile) return { value: null, damaged: error.why };
    }
    return { value: null, damaged: 'is not what was written there' };
  }
}

function isSignedText(value: unknown): value is SignedText {
  return hasTexts(value, ['payload', 'keyId', 'signature']);
}

function isHeld(value: unknown): value is NonNullable<BundleTexts['held']> {
  if (typeof value !== 'object' || value === null) return false;
  const { bundle, keys } = value as Record<string, unknown>;
  return isSignedText(bundle) && isSignedText(keys);
}

function isFloor(value: unknown): value is BundleFloor {
  if (typeof value !== 'object' || value === null) return false;
  const { epoch, revision, time } = value as Record<string, unknown>;
  const isTime = time === null || (typeof time === 'string' && !Number.isNaN(Date.parse(time)));
  return Number.isSafeInteger(epoch) && Number.isSafeInteger(revision) && isTime;
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'string')
  );
}
