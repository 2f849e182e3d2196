import type { PolicyRule } from '../documents/policy-document.js';
import type { PolicyVocabulary } from './policy-vocabulary.js';

/** Whether a rule says nothing that the vocabulary does not know, at any depth. */
export function isExpressible(rule: PolicyRule, vocabulary: PolicyVocabulary): boolean {
  return (
    unknownKeys(rule, vocabulary.rule).length === 0 &&
    vocabulary.effects.includes(rule.effect) &&
    unknownKeys(rule.who, vocabulary.who).length === 0 &&
    unknownKeys(rule.approvers, vocabulary.approvers).length === 0 &&
    (rule.obligations ?? []).every((obligation) => isKnownObligation(obligation, vocabulary)) &&
    isKnownWhen(rule.when, vocabulary)
  );
}

export function unknownKeys(value: unknown, known: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).filter((key) => !known.includes(key));
}

function isKnownWhen(when: unknown, vocabulary: PolicyVocabulary): boolean {
  if (when === undefined) return true;
  if (typeof when !== 'object' || when === null || unknownKeys(when, vocabulary.when).length > 0)
    return false;
  return Object.entries(when).every(([key, value]: [string, unknown]) => {
    if (key === 'any') return Array.isArray(value) && value.every((one) => isKnownWhen(one, vocabulary));
    if (key === 'not') return isKnownWhen(value, vocabulary);
    if (key === 'command' && !hasKnownTraits(value, vocabulary)) return false;
    const members = vocabulary.conditions[key];
    return members === undefined || unknownKeys(value, members).length === 0;
  });
}

function hasKnownTraits(command: unknown, { traits }: PolicyVocabulary): boolean {
  const has: unknown =
    typeof command === 'object' && command !== null ? Reflect.get(command, 'has') : undefined;
  return has === undefined || (Array.isArray(has) && has.every((trait) => traits.includes(String(trait))));
}

function isKnownObligation(obligation: object, { obligations, sandboxes }: PolicyVocabulary): boolean {
  if (unknownKeys(obligation, obligations).length > 0) return false;
  return !('sandbox' in obligation) || sandboxes.includes(String(obligation.sandbox));
}
