import type { DocumentProblem } from './check-document.js';
import type { PolicyDocument, PolicyRule } from './policy-document.js';

/** What each tier may say. A project's or a plugin's document may say anything: the engine lets it tighten only. */
export function checkScope(document: PolicyDocument): readonly DocumentProblem[] {
  const { tier } = document.metadata.scope;
  if (tier === 'project' || tier === 'plugin') return [];
  return document.rules.flatMap((rule, index) => {
    const at = `/rules/${index}`;
    return [
      ...checkEffect(rule, tier, at),
      ...checkAcknowledgement(rule, tier, at),
      ...checkOverridable(rule, tier, at),
      ...checkOverrides(document, rule, at),
    ];
  });
}

type Tier = PolicyDocument['metadata']['scope']['tier'];

function checkEffect(rule: PolicyRule, tier: Tier, at: string): DocumentProblem[] {
  const legal = tier === 'orgDefault' ? ['confirm'] : tier === 'builtin' ? ['confirm', 'allow'] : null;
  if (legal === null || legal.includes(rule.effect)) return [];
  return [
    {
      pointer: `${at}/effect`,
      what: `${rule.effect} is not allowed at tier ${tier}`,
      next: `use ${legal.join(' or ')}, or another tier`,
    },
  ];
}

function checkAcknowledgement(rule: PolicyRule, tier: Tier, at: string): DocumentProblem[] {
  if (rule.acknowledgeDestructive !== true || tier === 'org' || tier === 'team') return [];
  return [
    {
      pointer: `${at}/acknowledgeDestructive`,
      what: `is not allowed at tier ${tier}`,
      next: 'only org and team policies acknowledge',
    },
  ];
}

function checkOverridable(rule: PolicyRule, tier: Tier, at: string): DocumentProblem[] {
  if (rule.overridable !== true || tier === 'org') return [];
  return [
    {
      pointer: `${at}/overridable`,
      what: `is not allowed at tier ${tier}`,
      next: 'only org rules can be overridden by a team',
    },
  ];
}

/** A team overrides an org rule that says so; in one's own document only a dated exception for named people does. */
function checkOverrides(document: PolicyDocument, rule: PolicyRule, at: string): DocumentProblem[] {
  const { tier } = document.metadata.scope;
  if (rule.overrides === undefined) return [];
  const pointer = `${at}/overrides`;
  if (tier === 'builtin' || tier === 'orgDefault') {
    return [{ pointer, what: `is not allowed at tier ${tier}`, next: 'remove it' }];
  }
  const own = new Set(document.rules.map(({ id }) => id));
  return rule.overrides.flatMap((id): DocumentProblem[] => {
    if (id === rule.id) return [{ pointer, what: 'names the rule itself', next: 'name another rule' }];
    if (!own.has(id)) {
      if (tier === 'team') return [];
      return [{ pointer, what: `names the unknown rule ${id}`, next: 'name a rule of this document' }];
    }
    if (isException(rule)) return [];
    return [
      {
        pointer,
        what: `needs effect allow, who.user and expiresAt to except people from ${id}`,
        next: 'add them',
      },
    ];
  });
}

function isException(rule: PolicyRule): boolean {
  return rule.effect === 'allow' && (rule.who?.user?.length ?? 0) > 0 && rule.expiresAt !== undefined;
}
