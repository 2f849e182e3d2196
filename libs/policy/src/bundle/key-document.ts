import { WrongStackError } from '@wrongstack/contracts';
import {
  KEYS_FORMAT,
  ROOT_KEY_ID,
  type KeyDocument,
  type PublishedKey,
  type SignedText,
} from '@wrongstack/contracts/wire';
import { openSigned, readSignedText, signValue } from './signed-text.js';
import { readPublicKey, type SigningKey } from './signing-key.js';
import { base64url, exactly, listOf, shape, text, time, whole } from './strict-shape.js';

const readKeys = shape<KeyDocument>({
  format: exactly(KEYS_FORMAT),
  epoch: whole(1),
  issuedAt: time,
  keys: listOf(shape<PublishedKey>({ keyId: text(100), publicKey: base64url(32), notAfter: time }), 100),
});

/** Which keys may sign, signed by the root key itself. */
export function signKeyDocument(document: Omit<KeyDocument, 'format'>, root: SigningKey): SignedText {
  return signValue({ format: KEYS_FORMAT, ...document }, { ...root, keyId: ROOT_KEY_ID });
}

/** Throws what `openSigned` throws. `rootKey`: as pinned at enrolment. */
export function openKeyDocument(value: unknown, rootKey: string): KeyDocument {
  return readKeys(openSigned(readSignedText(value, 'keys'), KEYS_FORMAT, readPublicKey(rootKey)), 'keys');
}

/** The public half of a key. Throws `bundle.unknown_key`, and `bundle.key_expired` where `now` is given and past its end. */
export function publishedKey(document: KeyDocument, keyId: string, now: number | null) {
  const found = document.keys.find((key) => key.keyId === keyId);
  if (found === undefined) {
    throw new WrongStackError(
      'bundle.unknown_key',
      `key ${keyId} is not in the key document of epoch ${document.epoch}: what it signed was refused`,
    );
  }
  if (now !== null && Date.parse(found.notAfter) <= now) {
    throw new WrongStackError(
      'bundle.key_expired',
      `key ${keyId} ended at ${found.notAfter}: what it signed was refused`,
    );
  }
  return readPublicKey(found.publicKey);
}
