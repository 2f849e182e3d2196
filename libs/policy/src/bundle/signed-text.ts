import { sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson, WrongStackError } from '@wrongstack/contracts';
import { MAX_BUNDLE_BYTES, type SignedFormat, type SignedText } from '@wrongstack/contracts/wire';
import type { SigningKey } from './signing-key.js';
import { base64url, malformed, shape, text } from './strict-shape.js';

/** Signs the canonical JSON of `value`; the format stands in front, so that no text passes for one of another kind. */
export function signValue(value: { readonly format: SignedFormat }, key: SigningKey): SignedText {
  const payload = Buffer.from(canonicalJson(value)).toString('base64url');
  const signature = sign(null, signedBytes(value.format, payload), key.privateKey).toString('base64url');
  return { payload, keyId: key.keyId, signature };
}

const readText = shape<SignedText>({
  payload: text(MAX_BUNDLE_BYTES),
  keyId: text(100),
  signature: base64url(64),
});

/** The envelope alone. Nothing in it is to be believed before `openSigned`. */
export function readSignedText(value: unknown, at: string): SignedText {
  return readText(value, at);
}

/**
 * The value inside, once the signature holds. The payload must be canonical: a member that is written twice would mean
 * one thing here and another elsewhere. Throws `bundle.bad_signature` or `bundle.malformed`.
 */
export function openSigned(signed: SignedText, format: SignedFormat, key: KeyObject): unknown {
  const signature = Buffer.from(signed.signature, 'base64url');
  if (!verify(null, signedBytes(format, signed.payload), key, signature)) {
    throw new WrongStackError(
      'bundle.bad_signature',
      `the signature of key ${signed.keyId} does not hold for ${format}: it was refused`,
    );
  }
  const json = Buffer.from(signed.payload, 'base64url').toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw malformed('payload', 'is no JSON');
  }
  if (canonicalJson(value) !== json) throw malformed('payload', 'is not canonical JSON');
  return value;
}

function signedBytes(format: SignedFormat, payload: string): Buffer {
  return Buffer.from(`${format}\n${payload}`);
}
