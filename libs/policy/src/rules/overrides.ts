import type { CompiledRule } from './compiled-rule.js';

/**
 * Which rules may withdraw which. Two ways: a team rule names an org rule that says it is `overridable`; or an exception,
 * an allow for a named user that expires, names a rule of its own document.
 */
export function overridersByRule(
  rules: readonly CompiledRule[],
): ReadonlyMap<CompiledRule, readonly CompiledRule[]> {
  const overriders = rules.filter((rule) => rule.enforced && rule.rule.overrides !== undefined);
  const table = new Map<CompiledRule, readonly CompiledRule[]>();
  if (overriders.length === 0) return table;
  for (const target of rules) {
    if (target.effect === 'allow') continue;
    const valid = overriders.filter(
      (overrider) =>
        overrider !== target &&
        overrider.rule.overrides?.includes(target.id) === true &&
        (overridesOrg(overrider, target) || isException(overrider, target)),
    );
    if (valid.length > 0) table.set(target, valid);
  }
  return table;
}

function overridesOrg(overrider: CompiledRule, target: CompiledRule): boolean {
  return overrider.tier === 'team' && target.tier === 'org' && target.rule.overridable === true;
}

function isException(overrider: CompiledRule, target: CompiledRule): boolean {
  return (
    overrider.effect === 'allow' &&
    overrider.document === target.document &&
    overrider.tier === target.tier &&
    overrider.rule.who?.user !== undefined &&
    overrider.rule.expiresAt !== undefined
  );
}
