import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { WrongStackError } from '@wrongstack/contracts';

/** What is authenticated beside the content: a file of another kind or version does not open. */
const CONTEXT = Buffer.from('wrongstack vault 1');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface StoredSecret {
  readonly value: string;
  readonly updatedAt: string;
}

/** Everything in one sealed piece, names included: nothing can be taken out, put in or swapped without the key. */
export function seal(secrets: ReadonlyMap<string, StoredSecret>, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(CONTEXT);
  const plain = JSON.stringify([...secrets]);
  const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const document = {
    version: 1,
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return `${JSON.stringify(document)}\n`;
}

export function unseal(text: string, key: Buffer, where: string): Map<string, StoredSecret> {
  const { nonce, tag, data } = parseDocument(text, where);
  let plain: string;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(CONTEXT)
      .setAuthTag(tag);
    plain = Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
  } catch (thrown) {
    throw new WrongStackError(
      'vault.sealed',
      `vault ${where} does not open: wrong key, or the file was changed`,
      {
        cause: thrown,
        hint: 'restore the key or the file; nothing was changed',
      },
    );
  }
  // Sealed by us: the shape is ours.
  return new Map(JSON.parse(plain) as [string, StoredSecret][]);
}

function parseDocument(text: string, where: string): { nonce: Buffer; tag: Buffer; data: Buffer } {
  const corrupt = (problem: string): WrongStackError =>
    new WrongStackError('vault.corrupt', `vault ${where} ${problem}`, {
      hint: 'restore it or move it away; nothing was changed',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw corrupt('is not valid JSON');
  }
  if (typeof value !== 'object' || value === null) throw corrupt('is not a vault');
  const fields = value as Readonly<Record<string, unknown>>;
  if (fields['version'] !== 1 || fields['cipher'] !== 'aes-256-gcm') {
    throw corrupt('is of an unknown version');
  }
  const bytes = (name: string): Buffer => {
    const field = fields[name];
    if (typeof field !== 'string') throw corrupt(`has no ${name}`);
    return Buffer.from(field, 'base64');
  };
  const document = { nonce: bytes('nonce'), tag: bytes('tag'), data: bytes('data') };
  // A shorter tag would be accepted by the cipher, and is easier to forge.
  if (document.nonce.length !== NONCE_BYTES || document.tag.length !== TAG_BYTES) throw corrupt('is damaged');
  return document;
}
