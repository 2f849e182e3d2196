import type { PolicyState } from '@wrongstack/contracts';
import type { CompiledPolicies } from './rules/compiled-policies.js';
import type { TrustView } from './trust/trust-entry.js';

/** Everything `decide` needs beside the facts. Built anew whenever a document, the trust file or the state changes. */
export interface PolicyContext {
  readonly policies: CompiledPolicies;
  readonly trust: TrustView;
  readonly state: PolicyState;
  /** Decisions wait for the server and there is room for no more. Missing = there is. */
  readonly spoolIsFull?: boolean;
  /**
   * A local policy file that exists but cannot be read or validated: every call is denied and the file named.
   * Absent files are no failure.
   */
  readonly failure: { readonly file: string; readonly reason: string } | null;
}
