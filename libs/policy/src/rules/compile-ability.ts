import { Ability, type RawRule } from '@casl/ability';
import type { PolicyTier } from '@wrongstack/contracts';
import type { RuleEffect } from '../documents/policy-document.js';
import type { CompiledRule } from './compiled-rule.js';
import type { CallSubject } from './match/call-view.js';

/** The only file of this library that knows CASL, which indexes the rules by capability and evaluates them. */

const SUBJECT_TYPE = 'ToolCall';
/**
 * CASL's wildcard for actions, by default `manage`. Tools choose the names of their capabilities, so ours is a text that
 * no rule can write and that `strictestRule` and `visitMatching` never ask about.
 */
const ANY_ACTION = '\u0000any action';
const ANY_SUBJECT = '\u0000any subject';

/** CASL's raw rule, with what an explanation needs travelling in it. */
type ToolCallRule = RawRule<[string, typeof SUBJECT_TYPE], CompiledRule> & {
  readonly id: string;
  readonly tier: PolicyTier;
  readonly effect: RuleEffect;
};
type ToolCallAbility = Ability<[string, typeof SUBJECT_TYPE | CallSubject], CompiledRule>;

export interface RuleAbility {
  /** The strictest rule that matches the call under the subject's capability; null = none does. */
  readonly strictestRule: (subject: CallSubject) => CompiledRule | null;
  /** Every rule that matches, strictest first. */
  readonly visitMatching: (subject: CallSubject, visit: (rule: CompiledRule) => void) => void;
}

/** `rules` from the loosest to the strictest: in CASL the last rule wins, and here the strictest must. */
export function compileAbility(rules: readonly CompiledRule[]): RuleAbility {
  const ability: ToolCallAbility = new Ability<[string, typeof SUBJECT_TYPE | CallSubject], CompiledRule>(
    rules.map(toRawRule),
    {
      anyAction: ANY_ACTION,
      anySubjectType: ANY_SUBJECT,
      // Whatever a call carries, it is a tool call: facts must not be able to name their own subject type.
      detectSubjectType: () => SUBJECT_TYPE,
      // Compiled when the document was loaded, so CASL's lazy call of this function has nothing left to fail on.
      conditionsMatcher: (rule) => rule.matches as never,
    },
  );
  return {
    strictestRule: (subject) => ability.relevantRuleFor(actionOf(subject), subject)?.conditions ?? null,
    visitMatching: (subject, visit) => {
      for (const rule of ability.possibleRulesFor(actionOf(subject), SUBJECT_TYPE)) {
        // An instance, always: asked about a type, CASL passes conditional allows and drops conditional denials.
        if (rule.matchesConditions(subject) && rule.conditions !== undefined) visit(rule.conditions);
      }
    },
  };
}

function toRawRule(rule: CompiledRule): ToolCallRule {
  return {
    action: rule.actions.map((action) => (action === '*' ? ANY_ACTION : action)),
    subject: SUBJECT_TYPE,
    inverted: rule.effect === 'confirm' || rule.effect === 'approve' || rule.effect === 'deny',
    // Never empty: without conditions a CASL rule is unconditional.
    conditions: rule,
    reason: rule.rule.because,
    id: rule.id,
    tier: rule.tier,
    effect: rule.effect,
  };
}

function actionOf({ capability }: CallSubject): string {
  return capability === ANY_ACTION ? 'unknown' : capability;
}
