import type { Decision } from '@wrongstack/contracts';
import type { CompiledPolicies } from '../rules/compiled-policies.js';
import type { CompiledRule } from '../rules/compiled-rule.js';
import { whyNoMatch } from '../rules/match/why-no-match.js';

const LIMIT = 8;

/** Rules about these capabilities that do not match, with the reason. They are judged on the facts as recorded. */
export function nearMisses(
  decision: Decision,
  policies: CompiledPolicies,
): readonly { readonly rule: string; readonly reason: string }[] {
  const matched = new Set(decision.matches.map(({ document, id }) => `${document}/${id}`));
  const names = new Set<string>(decision.facts.effective.map(({ name }) => name));
  return policies.rules
    .filter((rule) => !matched.has(`${rule.document}/${rule.id}`) && isAbout(rule, names))
    .slice(0, LIMIT)
    .map((rule) => ({ rule: rule.id, reason: whyNoMatch(rule, decision.facts) }));
}

function isAbout(rule: CompiledRule, names: ReadonlySet<string>): boolean {
  return rule.rule.actions.some((action) => action === '*' || action === 'unknown' || names.has(action));
}
