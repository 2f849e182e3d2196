import { dirname } from 'node:path';
import type { Clock } from '@wrongstack/contracts';
import { SecretVault, WrongStackError, isoNow, systemClock } from '@wrongstack/contracts';
import { FileLock } from '../files/file-lock.js';
import { ensurePrivateFolder, writePrivateFile } from '../files/private-files.js';
import type { StoredSecret } from './sealed-document.js';
import { seal, unseal } from './sealed-document.js';
import { createKeyFile, parseVaultKey, readKeyFile, readPrivateFile } from './vault-key.js';

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
const LONGEST_VALUE = 64 * 1024;
const LOCK_PATIENCE_MS = 5_000;

export interface FileSecretVaultOptions {
  /** The sealed file. */
  readonly file: string;
  /** Where the key lies, 0600; made with the first secret. Not used when `key` is given. */
  readonly keyFile: string;
  /** A key from outside (an environment variable, a key store), so that none lies on this disk. */
  readonly key?: string | Uint8Array;
  readonly clock?: Clock;
}

/** Secrets in one sealed file (AES-256-GCM). Opened anew for each request, since other processes may change it. */
export class FileSecretVault extends SecretVault {
  private readonly clock: Clock;

  constructor(private readonly options: FileSecretVaultOptions) {
    super();
    this.clock = options.clock ?? systemClock;
  }

  override async get(name: string): Promise<string | undefined> {
    checkName(name);
    return (await this.load()).secrets.get(name)?.value;
  }

  override async set(name: string, value: string): Promise<void> {
    checkName(name);
    if (value === '' || value.length > LONGEST_VALUE) {
      throw new WrongStackError(
        'vault.bad_value',
        `the value of ${name} is ${value === '' ? 'empty' : 'too long'}`,
      );
    }
    await this.change((secrets) => secrets.set(name, { value, updatedAt: isoNow(this.clock) }));
  }

  override async remove(name: string): Promise<boolean> {
    checkName(name);
    // Looking first keeps a vault that does not exist from being made.
    if (!(await this.load()).secrets.has(name)) return false;
    return this.change((secrets) => secrets.delete(name));
  }

  override async list(): Promise<readonly { readonly name: string; readonly updatedAt: string }[]> {
    const { secrets } = await this.load();
    return [...secrets]
      .map(([name, { updatedAt }]) => ({ name, updatedAt }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private async load(): Promise<{ secrets: Map<string, StoredSecret>; key: Buffer | undefined }> {
    const { file, keyFile } = this.options;
    const key =
      this.options.key === undefined
        ? await readKeyFile(keyFile)
        : parseVaultKey(this.options.key, 'from outside');
    const sealed = await readPrivateFile(file);
    if (sealed === undefined) return { secrets: new Map(), key };
    if (key === undefined) {
      // A new key would never open it: making one here would hide that the old one is gone.
      throw new WrongStackError('vault.key_missing', `vault ${file} has no key: ${keyFile} does not exist`, {
        hint: 'restore the key file, or move the vault away and enter the credentials again',
      });
    }
    return { secrets: unseal(sealed.toString('utf8'), key, file), key };
  }

  private async change<T>(work: (secrets: Map<string, StoredSecret>) => T): Promise<T> {
    const { file, keyFile } = this.options;
    await ensurePrivateFolder(dirname(file));
    const attempt = await FileLock.take(`${file}.lock`, LOCK_PATIENCE_MS);
    if (!attempt.taken) {
      throw new WrongStackError(
        'vault.locked',
        `vault ${file} is in use by process ${attempt.holder.pid ?? '?'}`,
        {
          hint: 'try again',
        },
      );
    }
    try {
      const { secrets, key } = await this.load();
      const result = work(secrets);
      if (key === undefined) await ensurePrivateFolder(dirname(keyFile));
      await writePrivateFile(file, seal(secrets, key ?? (await createKeyFile(keyFile))));
      return result;
    } finally {
      attempt.lock.release();
    }
  }
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new WrongStackError(
    'vault.bad_name',
    `${JSON.stringify(name.slice(0, 40))} is not a credential name`,
    {
      hint: 'use letters, digits, and . _ -',
    },
  );
}
