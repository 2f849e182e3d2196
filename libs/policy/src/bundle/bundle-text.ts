import { sha256, WrongStackError } from '@wrongstack/contracts';
import {
  BUNDLE_FORMAT,
  MAX_BUNDLE_BYTES,
  type Bundle,
  type BundleDocument,
  type KeyDocument,
  type SignedText,
} from '@wrongstack/contracts/wire';
import { parsePolicyDocument } from '../documents/parse-policy-document.js';
import type { PolicyDocument } from '../documents/policy-document.js';
import { publishedKey } from './key-document.js';
import { openSigned, readSignedText, signValue } from './signed-text.js';
import type { SigningKey } from './signing-key.js';
import { exactly, listOf, malformed, shape, text, time, whole } from './strict-shape.js';

const MAX_TEXT = 1024 * 1024;

const readBundle = shape<Bundle>({
  format: exactly(BUNDLE_FORMAT),
  scope: text(210),
  epoch: whole(1),
  revision: whole(1),
  issuedAt: time,
  expiresAt: time,
  documents: listOf(
    shape<BundleDocument>({ id: text(200), revision: whole(1), digest: text(71), text: text(MAX_TEXT) }),
    1000,
  ),
});

/** A bundle from published texts: equal content gives equal bytes, whatever the order it came in. Throws `bundle.too_large`. */
export function createBundle(
  parts: Omit<Bundle, 'format' | 'documents'> & {
    readonly documents: readonly Omit<BundleDocument, 'digest'>[];
  },
): Bundle {
  const documents = parts.documents
    .map((document) => ({ ...document, digest: sha256(document.text) }))
    .sort((left, right) =>
      left.id < right.id ? -1 : left.id > right.id ? 1 : left.revision - right.revision,
    );
  return { ...parts, format: BUNDLE_FORMAT, documents };
}

/** Throws `bundle.too_large`: clients read no further than `MAX_BUNDLE_BYTES`. */
export function signBundle(bundle: Bundle, key: SigningKey): SignedText {
  const signed = signValue(bundle, key);
  if (signed.payload.length + 1024 > MAX_BUNDLE_BYTES) {
    throw new WrongStackError(
      'bundle.too_large',
      `the bundle of ${bundle.scope} has ${signed.payload.length} bytes: remove documents`,
    );
  }
  return signed;
}

/** Verified and read, not yet judged. `now` = null where the key was good when the bundle came. Throws `bundle.*`. */
export function openBundle(value: unknown, keys: KeyDocument, now: number | null): Bundle {
  const signed = readSignedText(value, 'bundle');
  return readBundle(openSigned(signed, BUNDLE_FORMAT, publishedKey(keys, signed.keyId, now)), 'bundle');
}

/** The documents of a verified bundle. One that is not what its digest says, or that this client cannot read, refuses them all. */
export async function readBundleDocuments(bundle: Bundle): Promise<readonly PolicyDocument[]> {
  return Promise.all(bundle.documents.map((document, index) => readDocument(document, index)));
}

async function readDocument(published: BundleDocument, index: number): Promise<PolicyDocument> {
  const at = `bundle/documents/${index}`;
  if (sha256(published.text) !== published.digest) throw malformed(`${at}/digest`, 'is not that of the text');
  const document = await parsePolicyDocument(published.text, { file: `bundle document ${published.id}` });
  const { id, scope } = document.metadata;
  if (id !== published.id) throw malformed(`${at}/id`, 'is not that of the text');
  if (scope.tier !== 'org' && scope.tier !== 'team' && scope.tier !== 'orgDefault') {
    throw malformed(`${at}/text`, `claims tier ${scope.tier}, which no centre publishes,`);
  }
  // The revision that was published counts: the text's own is what its author last wrote there.
  return Object.freeze({
    ...document,
    metadata: Object.freeze({ ...document.metadata, revision: published.revision }),
  });
}
