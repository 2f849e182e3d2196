import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `wst_`: of a person or a service. `wsa_`: what an agent holds for an hour. */
export type CredentialKind = 'wst' | 'wsa';

/** A token as it is shown once. Its id finds the record, its secret proves it, and only the secret's hash is kept. */
export interface NewCredential {
  readonly id: string;
  readonly token: string;
  readonly secretHash: string;
}

const ID_BYTES = 10;
const SECRET_BYTES = 32;

export function newCredential(kind: CredentialKind): NewCredential {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { id, token: `${kind}_${id}_${secret}`, secretHash: hashSecret(secret) };
}

/** The parts of a token of ours, or null for any other text. */
export function readCredential(
  token: string,
): { readonly kind: CredentialKind; readonly id: string; readonly secret: string } | null {
  const found = /^(wst|wsa)_([0-9a-f]{20})_([\w-]{43})$/.exec(token);
  if (found === null) return null;
  const [, kind = '', id = '', secret = ''] = found;
  return kind === 'wst' || kind === 'wsa' ? { kind, id, secret } : null;
}

/** sha256, lower-case hex. The secrets are random: a slow hash would only slow every request down. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** In constant time. */
export function fitsHash(secret: string, hash: string): boolean {
  const given = Buffer.from(hashSecret(secret), 'hex');
  const kept = Buffer.from(hash, 'hex');
  return given.length === kept.length && timingSafeEqual(given, kept);
}
