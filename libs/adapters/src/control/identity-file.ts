import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, readTextIfThere, WrongStackError } from '@wrongstack/contracts';
import type { AgentIdentity } from '@wrongstack/contracts/wire';
import { ensurePrivateFolder, isExposed, writePrivateFile } from '../files/private-files.js';

/** Who this client is, and the secrets that prove it. */
export interface StoredIdentity extends AgentIdentity {
  readonly server: string;
  /**
   * Refresh tokens, oldest first. One = the server has it. More = an answer got lost: the server has one of them, and the
   * newest that it knows is the good one.
   */
  readonly refreshTokens: readonly string[];
}

const NAME = 'identity.json';
const MOST_BYTES = 1024 * 1024;

export const newRefreshToken = (): string => `wsr_${randomBytes(32).toString('base64url')}`;

/** `identity.json`, 0600. Whoever reads it can act as this client. */
export class IdentityFile {
  readonly file: string;

  constructor(private readonly folder: string) {
    this.file = join(folder, NAME);
  }

  /** Null = not signed in. Throws `identity.unreadable`, and `identity.exposed` where others may read it. */
  async read(): Promise<StoredIdentity | null> {
    try {
      const text = await readTextIfThere(this.file, { mostBytes: MOST_BYTES });
      if (text === null) return null;
      const { mode } = await stat(this.file);
      if (isExposed(mode)) {
        throw new WrongStackError('identity.exposed', `${this.file} can be read by others`, {
          hint: `chmod 600 ${this.file}, then wstack login again: somebody may have copied it`,
        });
      }
      const value: unknown = JSON.parse(text);
      if (isIdentity(value)) return value;
    } catch (error) {
      if (codeOf(error) === 'identity.exposed') throw error;
    }
    throw new WrongStackError('identity.unreadable', `${this.file} is no identity`, { hint: 'wstack login' });
  }

  async write(identity: StoredIdentity): Promise<void> {
    await ensurePrivateFolder(this.folder);
    await writePrivateFile(this.file, `${JSON.stringify(identity)}\n`);
  }

  /** False where there was none. */
  async remove(): Promise<boolean> {
    const there = await stat(this.file).then(
      () => true,
      () => false,
    );
    await rm(this.file, { force: true });
    return there;
  }
}

/** We wrote it ourselves; this tells a torn or foreign file from it. */
function isIdentity(value: unknown): value is StoredIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { server, scope, accessToken, accessExpiresAt, refreshTokens, agent, principal } = value as Record<
    string,
    unknown
  >;
  return (
    [server, scope, accessToken, accessExpiresAt].every((member) => typeof member === 'string') &&
    Array.isArray(refreshTokens) &&
    refreshTokens.length > 0 &&
    refreshTokens.every((token) => typeof token === 'string') &&
    [agent, principal].every((member) => typeof member === 'object' && member !== null)
  );
}
