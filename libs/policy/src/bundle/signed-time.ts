import { TIME_FORMAT, type KeyDocument, type SignedText, type SignedTime } from '@wrongstack/contracts/wire';
import { publishedKey } from './key-document.js';
import { openSigned, readSignedText, signValue } from './signed-text.js';
import type { SigningKey } from './signing-key.js';
import { exactly, malformed, shape, text, time, whole } from './strict-shape.js';

const readTime = shape<SignedTime>({
  format: exactly(TIME_FORMAT),
  scope: text(210),
  epoch: whole(1),
  revision: whole(0),
  time,
});

const LONGEST_HEADER = 4096;

/** The value of the header `wrongstack-timestamp`. */
export function timestampHeader(value: Omit<SignedTime, 'format'>, key: SigningKey): string {
  const { payload, keyId, signature } = signValue({ format: TIME_FORMAT, ...value }, key);
  return `${payload}.${keyId}.${signature}`;
}

/** Throws what `openSigned` throws. `now` = null where the key was good when the text came. */
export function openTimestamp(header: string, keys: KeyDocument, now: number | null): SignedTime {
  const signed = split(header);
  const value = openSigned(signed, TIME_FORMAT, publishedKey(keys, signed.keyId, now));
  return readTime(value, 'timestamp');
}

function split(header: string): SignedText {
  const [payload, keyId, signature, ...rest] = header.length > LONGEST_HEADER ? [] : header.split('.');
  if (rest.length > 0) throw malformed('timestamp', 'has more than three parts');
  return readSignedText({ payload, keyId, signature }, 'timestamp');
}
