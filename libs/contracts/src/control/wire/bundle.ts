import type { JSONSchema } from '../../json-schema.js';
import { closed, digest, list, text, time, whole } from './schema-parts.js';

// `GET /v1/keys`, `GET /v1/bundles/{scope}`: what is signed. A signature is Ed25519 over `<format>\n<payload>`, where the
// payload is the base64url (without padding) of the canonical JSON of the text.

export const BUNDLE_FORMAT = 'wrongstack.bundle/v1';
export const KEYS_FORMAT = 'wrongstack.keys/v1';
export const TIME_FORMAT = 'wrongstack.time/v1';
export type SignedFormat = typeof BUNDLE_FORMAT | typeof KEYS_FORMAT | typeof TIME_FORMAT;

/** Sent with every answer of the bundle routes, also with 304: `<payload>.<keyId>.<signature>`. */
export const TIMESTAMP_HEADER = 'wrongstack-timestamp';

/**
 * What the client understands, as a request header of `GET bundles/{scope}`: comma-separated apiVersions, best first. The
 * server compiles documents for it; without the header it is `policy.wrongstack/v1`.
 */
export const POLICY_VERSIONS_HEADER = 'wrongstack-policy-versions';

/** Bytes of a bundle answer; a client reads no further. */
export const MAX_BUNDLE_BYTES = 16 * 1024 * 1024;
/** Bytes of a key document answer. */
export const MAX_KEYS_BYTES = 256 * 1024;
/** Seconds that `?wait=` may hold a request at most. */
export const MAX_WAIT_SECONDS = 55;

export interface SignedText {
  /** base64url without padding. */
  readonly payload: string;
  readonly keyId: string;
  /** base64url without padding, 64 bytes. */
  readonly signature: string;
}

export interface BundleDocument {
  /** `metadata.id` of the document. */
  readonly id: string;
  /** The revision that was published; it counts, whatever the text's own metadata say. */
  readonly revision: number;
  /** `sha256:<hex>` of the text. */
  readonly digest: string;
  /** YAML or JSON of tier org, team or orgDefault. */
  readonly text: string;
}

/**
 * What one scope must enforce. The server signs it anew, with the same revision and later dates, before half of its life
 * has passed. `ETag` = digest of the payload.
 */
export interface Bundle {
  readonly format: typeof BUNDLE_FORMAT;
  /** `org`, or `team:<ref>`. */
  readonly scope: string;
  /** Of the key document in force when it was signed. */
  readonly epoch: number;
  /** Of the organisation: grows with each publication and roll back. */
  readonly revision: number;
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly documents: readonly BundleDocument[];
}

export interface PublishedKey {
  readonly keyId: string;
  /** Raw Ed25519 public key: 32 bytes in base64url. */
  readonly publicKey: string;
  /** Nothing that it signed is accepted from then on. */
  readonly notAfter: string;
}

/** Signed by the root key (`keyId: "root"`), whose public half the client pinned when it was enrolled. */
export interface KeyDocument {
  readonly format: typeof KEYS_FORMAT;
  /** Grows with each rotation. */
  readonly epoch: number;
  readonly issuedAt: string;
  readonly keys: readonly PublishedKey[];
}

export const ROOT_KEY_ID = 'root';

/** Says that `revision` was the newest for `scope` at `time`. */
export interface SignedTime {
  readonly format: typeof TIME_FORMAT;
  readonly scope: string;
  readonly epoch: number;
  readonly revision: number;
  readonly time: string;
}

const encoded = (maxLength: number): JSONSchema => ({
  type: 'string',
  pattern: '^[A-Za-z0-9_-]+$',
  maxLength,
});

export const signedTextSchema = closed({
  payload: encoded(MAX_BUNDLE_BYTES),
  keyId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,100}$' },
  signature: encoded(86),
});

export const bundleSchema = closed({
  format: { const: BUNDLE_FORMAT },
  scope: { type: 'string', pattern: '^(?:org|team:.{1,200})$' },
  epoch: whole(1),
  revision: whole(1),
  issuedAt: time,
  expiresAt: time,
  documents: list(closed({ id: text(200), revision: whole(1), digest, text: text(1024 * 1024) }), 1000),
});

export const keyDocumentSchema = closed({
  format: { const: KEYS_FORMAT },
  epoch: whole(1),
  issuedAt: time,
  keys: list(closed({ keyId: text(100), publicKey: encoded(43), notAfter: time }), 100),
});

export const signedTimeSchema = closed({
  format: { const: TIME_FORMAT },
  scope: text(210),
  epoch: whole(1),
  revision: whole(0),
  time,
});
