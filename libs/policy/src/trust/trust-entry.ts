import type { TrustSubject } from '@wrongstack/contracts';

/** One line of the trust file: what a person said "always" or "never" to. */
export interface TrustEntry {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly tool: string;
  readonly owner: string;
  /** Of the tool's definition when it was granted: a changed tool is asked about again. */
  readonly definitionDigest: string;
  readonly subject: TrustSubject;
  /** ISO 8601; null = until revoked (deny entries). */
  readonly expiresAt: string | null;
  readonly grantedBy: string;
  readonly grantedAt: string;
}

/** What `decide` sees of the trust file. Corrupt: no grant is in force, its denials are unknown, and `reason` names the file. */
export type TrustView =
  | { readonly status: 'ok'; readonly entries: readonly TrustEntry[] }
  | { readonly status: 'corrupt'; readonly file: string; readonly reason: string };
