import { WrongStackError, type PolicyTier } from '@wrongstack/contracts';
import type { PolicyDocument } from '../documents/policy-document.js';
import { compileAbility, type RuleAbility } from './compile-ability.js';
import { compileRule } from './compile-rule.js';
import { isRestricting, type CompiledRule } from './compiled-rule.js';
import { readSets } from './expand-sets.js';
import { mergeLocks } from './merge-locks.js';
import type { MergedLocks } from './merged-locks.js';
import { overridersByRule } from './overrides.js';
import { isSoft, TIERS } from './tiers.js';

export interface CompileOptions {
  /** Whose documents count: org and team documents with another `scope.ref` are left out. */
  readonly tenant?: { readonly org?: string; readonly team?: string };
  /** What `~` stands for in path globs. Without it, such a glob is unknown to every rule. */
  readonly home?: string;
}

/** Every rule of every document, compiled, sorted and indexed. Immutable. */
export interface CompiledPolicies extends RuleAbility {
  /** Of the governing document (the highest tier present); null where there is none. */
  readonly id: string | null;
  readonly revision: number | null;
  readonly locks: MergedLocks;
  /** From the loosest to the strictest. */
  readonly rules: readonly CompiledRule[];
  /** The rules that may withdraw this one for the calls that they match. */
  readonly overridersOf: (rule: CompiledRule) => readonly CompiledRule[];
}

const NOBODY: readonly CompiledRule[] = [];

/** Compiles documents; a rule that cannot be compiled throws here, never in the middle of a run. */
export function compilePolicies(
  documents: readonly PolicyDocument[],
  options: CompileOptions = {},
): CompiledPolicies {
  const present = documents.filter(
    (document) => document.mode !== 'off' && concerns(document, options.tenant ?? {}),
  );
  const rules = present.flatMap((document) => compileDocument(document, options.home)).sort(byStrictness);
  const overriders = overridersByRule(rules);
  const ability = compileAbility(rules);
  const governing = present
    .filter(({ metadata, mode }) => metadata.scope.tier !== 'builtin' && mode !== 'shadow')
    .toSorted((left, right) => byTier(left.metadata.scope.tier, right.metadata.scope.tier))[0];
  return {
    id: governing?.metadata.id ?? null,
    revision: governing?.metadata.revision ?? null,
    // A document in shadow mode applies nothing, its locks included.
    locks: mergeLocks(present.filter((document) => document.mode !== 'shadow')),
    rules,
    overridersOf: (rule) => overriders.get(rule) ?? NOBODY,
    strictestRule: ability.strictestRule,
    visitMatching: ability.visitMatching,
  };
}

function compileDocument(document: PolicyDocument, home: string | undefined): CompiledRule[] {
  const { id } = document.metadata;
  const sets = readSets(document.sets, (field, problem) => {
    throw new WrongStackError('policy.set-invalid', `policy ${id}: ${field}: ${problem}`, {
      path: `/${field}`,
    });
  });
  const seen = new Set<string>();
  return document.rules.map((rule, index) => {
    if (seen.has(rule.id)) {
      throw new WrongStackError(
        'policy.rule-invalid',
        `policy ${id}: rule ${rule.id}: id: two rules have it, rename one`,
        {
          path: `/rules/${index}/id`,
        },
      );
    }
    seen.add(rule.id);
    return compileRule(rule, index, document, sets, home);
  });
}

function concerns(document: PolicyDocument, tenant: NonNullable<CompileOptions['tenant']>): boolean {
  const { tier, ref } = document.metadata.scope;
  const own =
    tier === 'team' ? tenant.team : tier === 'org' || tier === 'orgDefault' ? tenant.org : undefined;
  return ref === undefined || own === undefined || own === ref;
}

const EFFECTS = ['oblige', 'allow', 'confirm', 'approve', 'deny'] as const;

/**
 * A total order that does not depend on how files are sorted: loosest first, and among equally strict rules the soft and
 * the less authoritative ones first.
 */
function byStrictness(left: CompiledRule, right: CompiledRule): number {
  return (
    EFFECTS.indexOf(left.effect) - EFFECTS.indexOf(right.effect) ||
    hardness(left) - hardness(right) ||
    byTier(right.tier, left.tier) ||
    compare(right.document, left.document) ||
    compare(right.id, left.id)
  );
}

function hardness(rule: CompiledRule): number {
  return isRestricting(rule.effect) && isSoft(rule.tier) ? 0 : 1;
}

function byTier(left: PolicyTier, right: PolicyTier): number {
  return TIERS.indexOf(left) - TIERS.indexOf(right);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
