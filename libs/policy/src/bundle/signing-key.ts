import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { WrongStackError } from '@wrongstack/contracts';

/** An Ed25519 key that signs, and the name under which its public half is published. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export function generateSigningKey(keyId: string): SigningKey {
  return { keyId, privateKey: generateKeyPairSync('ed25519').privateKey };
}

/** 32 raw bytes in base64url: what key documents and enrolments carry. */
export function publicKeyText({ privateKey }: SigningKey): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new WrongStackError('bundle.bad_key', 'the key is not an Ed25519 key');
  return x;
}

/** The private half as 48 bytes of PKCS #8 in base64url, for whoever has to keep it. */
export function privateKeyText({ privateKey }: SigningKey): string {
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
}

/** Throws `bundle.bad_key`. */
export function readSigningKey(keyId: string, text: string): SigningKey {
  try {
    const privateKey = createPrivateKey({
      key: Buffer.from(text, 'base64url'),
      format: 'der',
      type: 'pkcs8',
    });
    if (privateKey.asymmetricKeyType === 'ed25519') return { keyId, privateKey };
  } catch {
    // Said below; the cause would repeat key material.
  }
  throw new WrongStackError('bundle.bad_key', `signing key ${keyId} is no Ed25519 key in PKCS #8`);
}

/** Throws `bundle.bad_key`. */
export function readPublicKey(text: string): KeyObject {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });
  } catch (cause) {
    throw new WrongStackError('bundle.bad_key', 'a public key is not 32 bytes of Ed25519 in base64url', {
      cause,
    });
  }
}
