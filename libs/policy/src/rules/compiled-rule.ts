import type { PolicyTier } from '@wrongstack/contracts';
import type { PolicyRule, RuleEffect } from '../documents/policy-document.js';

/** One rule of one document, ready to be asked. */
export interface CompiledRule {
  readonly id: string;
  readonly effect: RuleEffect;
  readonly tier: PolicyTier;
  readonly document: string;
  readonly revision: number;
  /** As written. */
  readonly rule: PolicyRule;
}
