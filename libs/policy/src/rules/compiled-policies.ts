import { WrongStackError } from '@wrongstack/contracts';
import type { PolicyDocument } from '../documents/policy-document.js';
import type { CompiledRule } from './compiled-rule.js';
import type { MergedLocks } from './merged-locks.js';

export interface CompileOptions {
  /** Whose documents count: org and team documents with another `scope.ref` are left out. */
  readonly tenant?: { readonly org?: string; readonly team?: string };
  /** What `~` stands for in path globs. Without it, such a glob is unknown to every rule. */
  readonly home?: string;
}

/** Every rule of every document, compiled, sorted and indexed. Immutable. */
export interface CompiledPolicies {
  /** Of the governing document (the highest tier present); null where there is none. */
  readonly id: string | null;
  readonly revision: number | null;
  readonly locks: MergedLocks;
  readonly rules: readonly CompiledRule[];
}

/** Compiles documents; a rule that cannot be compiled throws here, never in the middle of a run. */
export function compilePolicies(
  documents: readonly PolicyDocument[],
  _options: CompileOptions = {},
): CompiledPolicies {
  throw new WrongStackError(
    'policy.unready',
    `compilePolicies(${documents.length}) follows in the next commits`,
  );
}
