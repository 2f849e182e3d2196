import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { WrongStackError, codeOf, nothingAt } from '@wrongstack/contracts';
import { openRegular } from '../files/open-regular.js';
import { isExposed, writePrivateFile } from '../files/private-files.js';

export const KEY_BYTES = 32;

/** 32 bytes, or their hex or base64, as an environment variable holds them. */
export function parseVaultKey(key: string | Uint8Array, where: string): Buffer {
  const bytes = typeof key === 'string' ? fromText(key.trim()) : Buffer.from(key);
  if (bytes?.length === KEY_BYTES) return bytes;
  throw new WrongStackError(
    'vault.bad_key',
    `vault key ${where} is not 32 bytes (64 hex digits, or base64)`,
    {
      hint: 'check the key; nothing was changed',
    },
  );
}

export async function readKeyFile(file: string): Promise<Buffer | undefined> {
  const content = await readPrivateFile(file);
  return content === undefined ? undefined : parseVaultKey(content.toString('utf8'), file);
}

export async function createKeyFile(file: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await writePrivateFile(file, `${key.toString('base64')}\n`);
  return key;
}

/** Undefined when it does not exist. One that others can read is refused: what it protects is not secret any more. */
export async function readPrivateFile(file: string): Promise<Buffer | undefined> {
  let handle;
  try {
    handle = await openRegular(file, constants.O_RDONLY);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT' && nothingAt(file)) return undefined;
    throw new WrongStackError('vault.unreadable', `${file} cannot be read (${codeOf(thrown)})`, {
      cause: thrown,
      hint: 'put it right, or move it away',
    });
  }
  try {
    const { mode } = await handle.stat();
    if (isExposed(mode)) {
      throw new WrongStackError(
        'vault.exposed',
        `${file} can be read by others (${(mode & 0o777).toString(8)})`,
        {
          hint: `chmod 600 ${file}, and replace the credentials in it`,
        },
      );
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function fromText(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return undefined;
}
