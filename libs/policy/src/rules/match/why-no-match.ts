import type { Facts } from '@wrongstack/contracts';
import type { CompiledRule } from '../compiled-rule.js';

/** Why a rule does not match, in one line for people: `tool is not test, lint, typecheck`. */
export function whyNoMatch(rule: CompiledRule, facts: Facts): string {
  return `${rule.id} is about other calls than ${facts.tool}`;
}
