import type { PolicyDocument, PolicyRule } from '../documents/policy-document.js';
import { isExpressible, unknownKeys } from './expressible.js';
import { POLICY_V1, type PolicyVocabulary } from './policy-vocabulary.js';

/**
 * A document as a client of an earlier version of the language can read it. A rule that it cannot express becomes a denial
 * of the same actions, for the same people where those can be said, whatever it asked about; an allow that it cannot
 * express is left out; a lock that it cannot express denies everything. So an old client is stricter than a new one and
 * never looser. Denials have no place in an `orgDefault` document: they come in a second one.
 */
export function compileForClient(
  document: PolicyDocument,
  vocabulary: PolicyVocabulary = POLICY_V1,
): readonly PolicyDocument[] {
  const applies = document.mode !== 'shadow' && document.mode !== 'off';
  const kept = document.rules.filter((rule) => isExpressible(rule, vocabulary));
  const lost = document.rules.filter((rule) => !isExpressible(rule, vocabulary));
  const denials = applies
    ? [...lost.flatMap((rule) => denialOf(rule, vocabulary)), ...denialOfLocks(document, vocabulary)]
    : [];
  const rest: PolicyDocument = { ...knownParts(document, vocabulary), rules: kept };
  if (denials.length === 0) return [rest];
  const named = withFreeIds(denials, kept);
  if (document.metadata.scope.tier !== 'orgDefault') return [{ ...rest, rules: [...kept, ...named] }];
  return [rest, companion(document, rest, named)];
}

/** What the client enforces of the document beside its rules. Tests ran where the document was published. */
function knownParts(document: PolicyDocument, vocabulary: PolicyVocabulary): PolicyDocument {
  const { tests: _tests, locks, ...rest } = document;
  const known = Object.fromEntries(Object.entries(rest).filter(([key]) => vocabulary.document.includes(key)));
  const parts: unknown = {
    ...known,
    apiVersion: vocabulary.apiVersion,
    ...(locks !== undefined && { locks: knownLocks(locks, vocabulary) }),
  };
  // A document less what the other side does not know, under the name of its version: the types know one version only.
  return parts as PolicyDocument;
}

function knownLocks(locks: object, { locks: names, pluginLocks }: PolicyVocabulary): object {
  const keep = (value: object, keys: readonly string[]): [string, unknown][] =>
    Object.entries(value).filter(([key]) => keys.includes(key));
  return Object.fromEntries(
    keep(locks, names).map(([key, value]) => [
      key,
      key === 'plugins' && typeof value === 'object' && value !== null
        ? Object.fromEntries(keep(value, pluginLocks))
        : value,
    ]),
  );
}

function denialOf(rule: PolicyRule, vocabulary: PolicyVocabulary): PolicyRule[] {
  // Without it less is allowed; and what is only observed is never applied.
  if (rule.effect === 'allow' || rule.mode === 'shadow') return [];
  const who =
    rule.who !== undefined && unknownKeys(rule.who, vocabulary.who).length === 0 ? { who: rule.who } : {};
  return [
    {
      id: rule.id,
      effect: 'deny',
      actions: rule.actions,
      ...who,
      because: `This version of wstack cannot express the rule: ${rule.because}`.slice(0, 500),
      instead: 'update wstack',
      ...(rule.expiresAt !== undefined && { expiresAt: rule.expiresAt }),
    },
  ];
}

function denialOfLocks(document: PolicyDocument, vocabulary: PolicyVocabulary): PolicyRule[] {
  const unknown = [
    ...unknownKeys(document, vocabulary.document),
    ...unknownKeys(document.locks, vocabulary.locks),
    ...unknownKeys(document.locks?.plugins, vocabulary.pluginLocks),
  ];
  if (unknown.length === 0) return [];
  return [
    {
      id: 'not-expressible',
      effect: 'deny',
      actions: ['*'],
      because:
        `This version of wstack cannot express ${unknown.sort().join(', ')} of policy ${document.metadata.id}`.slice(
          0,
          500,
        ),
      instead: 'update wstack',
    },
  ];
}

function withFreeIds(denials: readonly PolicyRule[], kept: readonly PolicyRule[]): PolicyRule[] {
  const taken = new Set(kept.map(({ id }) => id));
  return denials.map((rule) => {
    let id = rule.id;
    for (let number = 2; taken.has(id); number += 1) id = `${rule.id}-${number}`;
    taken.add(id);
    return { ...rule, id };
  });
}

function companion(
  document: PolicyDocument,
  rest: PolicyDocument,
  rules: readonly PolicyRule[],
): PolicyDocument {
  const { metadata, apiVersion, kind } = rest;
  const id = `${document.metadata.id.slice(0, 60)}-not-expressible`;
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, id, scope: { ...metadata.scope, tier: 'org' } },
    rules,
  };
}
