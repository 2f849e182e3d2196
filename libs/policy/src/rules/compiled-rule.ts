import type { Capability, PathFact, PolicyTier } from '@wrongstack/contracts';
import type { PolicyRule, RuleEffect } from '../documents/policy-document.js';
import type { CallSubject } from './match/call-view.js';
import type { Truth } from './match/truth.js';

/** One rule of one document, ready to be asked. */
export interface CompiledRule {
  readonly id: string;
  readonly effect: RuleEffect;
  readonly tier: PolicyTier;
  readonly document: string;
  readonly revision: number;
  /** As written. */
  readonly rule: PolicyRule;
  /** False in shadow mode: evaluated and recorded, never applied. */
  readonly enforced: boolean;
  /** What CASL indexes it under. */
  readonly actions: readonly Capability[];

  /** Does the rule match this call, the way its effect matches? Expired rules do not. */
  readonly matches: (subject: CallSubject) => boolean;
  /** The restricting way, for one simple command or WHOLE_CALL: unknown facts match. */
  readonly catches: (subject: CallSubject, at: number) => boolean;
  /** The allowing way, for one simple command or WHOLE_CALL: unknown facts do not match. */
  readonly covers: (subject: CallSubject, at: number) => boolean;
  /** The paths that the rule names with its own `path` (not below `any` or `not`), for what is about one path. */
  readonly namesPath: ((path: PathFact, project: string) => Truth) | null;
}

/** Is it one of the effects that ask for more than `allow`? */
export function isRestricting(effect: RuleEffect): effect is 'confirm' | 'approve' | 'deny' {
  return effect === 'confirm' || effect === 'approve' || effect === 'deny';
}
