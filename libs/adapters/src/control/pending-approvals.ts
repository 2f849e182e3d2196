import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateFolder, writePrivateFile } from '../files/private-files.js';

/** A request that was sent for one digest, until it was used or came to nothing. */
export interface PendingApproval {
  readonly digest: string;
  readonly approval: string;
  /** Written down before the approval is used: the same use may be asked for again, another may not. */
  readonly use: string;
  readonly expiresAt: string | null;
}

/** One file a digest, so that a resumed run finds what it asked for. */
export class PendingApprovals {
  constructor(private readonly folder: string) {}

  async get(digest: string): Promise<PendingApproval | null> {
    try {
      const value: unknown = JSON.parse(await readFile(this.file(digest), 'utf8'));
      return isPending(value) && value.digest === digest ? value : null;
    } catch {
      // None, or torn: then it is asked for anew, which loosens nothing.
      return null;
    }
  }

  async put(pending: PendingApproval): Promise<void> {
    await ensurePrivateFolder(this.folder);
    await writePrivateFile(this.file(pending.digest), JSON.stringify(pending));
  }

  async remove(digest: string): Promise<void> {
    await rm(this.file(digest), { force: true });
  }

  async list(): Promise<readonly PendingApproval[]> {
    const names = await readdir(this.folder).catch(() => []);
    const found = await Promise.all(
      names
        .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
        .map((name) => this.get(`sha256:${name.slice(0, 64)}`)),
    );
    return found.filter((one) => one !== null);
  }

  lockFile(digest: string): string {
    return join(this.folder, `${nameOf(digest)}.lock`);
  }

  private file(digest: string): string {
    return join(this.folder, `${nameOf(digest)}.json`);
  }
}

/** A digest is ours and hexadecimal; anything else must not choose a path. */
function nameOf(digest: string): string {
  return /^sha256:[0-9a-f]{64}$/.test(digest) ? digest.slice('sha256:'.length) : 'none';
}

function isPending(value: unknown): value is PendingApproval {
  if (typeof value !== 'object' || value === null) return false;
  const { digest, approval, use, expiresAt } = value as Record<string, unknown>;
  return (
    [digest, approval, use].every((text) => typeof text === 'string') &&
    (expiresAt === null || typeof expiresAt === 'string')
  );
}
