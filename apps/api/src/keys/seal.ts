import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { WrongStackError } from '@wrongstack/contracts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SEAL_KEY_BYTES = 32;

/** Keeps private keys unreadable for whoever has only the database: AES-256-GCM, bound to the name of what it seals. */
export class Seal {
  constructor(private readonly key: Uint8Array) {}

  close(name: string, text: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws `keys.seal` where this is not the key that it was sealed with. */
  open(name: string, sealed: Uint8Array): string {
    const bytes = Buffer.from(sealed);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const cipher = createDecipheriv('aes-256-gcm', this.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(name)).setAuthTag(tag);
      const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]);
      return text.toString('utf8');
    } catch {
      throw new WrongStackError(
        'keys.seal',
        `signing key ${name} was sealed with another key: set WRONGSTACK_SEAL_KEY to the one that all replicas share`,
      );
    }
  }
}
