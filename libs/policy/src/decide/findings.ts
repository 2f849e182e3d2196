import type { Facts, Obligation, PolicyTier, RuleMatch } from '@wrongstack/contracts';
import type { CompiledPolicies } from '../rules/compiled-policies.js';
import { isRestricting, type CompiledRule } from '../rules/compiled-rule.js';
import { isTransparent, type CallSubject, type CallView } from '../rules/match/call-view.js';
import { onlyTightens } from '../rules/tiers.js';
import type { CallCapability } from './capabilities.js';
import { mayHideCommand } from './hidden-command.js';
import { reachedBelow } from './reached-below.js';

/** What the rules say about one call by one actor. */
export interface Findings {
  readonly capabilities: readonly CallCapability[];
  /** Restrictions in force: matching, enforced and not withdrawn. */
  readonly restrictions: readonly CompiledRule[];
  /** Allows in force, with the pairs that each covers. */
  readonly allows: readonly AllowHit[];
  readonly obligations: readonly Obligation[];
  readonly matches: readonly RuleMatch[];
}

export interface AllowHit {
  readonly rule: CompiledRule;
  readonly capability: CallCapability;
  /** Commands that it covers, or WHOLE_CALL. */
  readonly at: readonly number[];
}

const META_TOOLS: ReadonlySet<string> = new Set(['tool-use', 'batch-tool-use']);

/** A tool that runs other tools: each inner call is decided on its own, and the tool as such can be granted nothing. */
export function isMetaTool({ tool, declared }: Facts): boolean {
  return META_TOOLS.has(tool) || declared.includes('tool.mutate.any');
}

export function askRules(
  view: CallView,
  policies: CompiledPolicies,
  capabilities: readonly CallCapability[],
): Findings {
  const restricting = new Map<CompiledRule, { capability: CallCapability; subject: CallSubject }[]>();
  const hits: AllowHit[] = [];
  for (const capability of capabilities) {
    for (const subject of capability.subjects) {
      policies.visitMatching(subject, (rule) => {
        if (rule.effect === 'allow') {
          hits.push({ rule, capability, at: capability.carriers.filter((at) => rule.covers(subject, at)) });
          return;
        }
        const where = restricting.get(rule);
        if (where === undefined) restricting.set(rule, [{ capability, subject }]);
        else where.push({ capability, subject });
      });
    }
  }

  const restrictions: CompiledRule[] = [];
  const obligations: Obligation[] = [];
  const matches: RuleMatch[] = [];
  for (const [rule, where] of restricting) {
    const [first] = where;
    const applied = rule.enforced && !isWithdrawn(view, policies, rule, where);
    matches.push(record(rule, applied, first === undefined ? null : caughtText(view, rule, first.subject)));
    if (!applied) continue;
    if (isRestricting(rule.effect)) restrictions.push(rule);
    obligations.push(...obligationsOf(rule));
  }

  const allows = hits.filter(({ rule }) => isInForce(rule, view, policies));
  const recorded = new Set<CompiledRule>();
  for (const { rule, at } of hits) {
    if (recorded.has(rule)) continue;
    recorded.add(rule);
    const applied = isInForce(rule, view, policies);
    matches.push(record(rule, applied, coveredText(view, at)));
    if (applied) obligations.push(...obligationsOf(rule));
  }
  return { capabilities, restrictions, allows, obligations, matches };
}

function isInForce(rule: CompiledRule, view: CallView, policies: CompiledPolicies): boolean {
  if (!rule.enforced || onlyTightens(rule.tier) || isMetaTool(view.facts)) return false;
  return !isOff(rule.tier, policies);
}

/** Who may not trust anything for good may not write it into a policy of their own either. */
function isOff(tier: PolicyTier, policies: CompiledPolicies): boolean {
  return tier === 'user' && policies.locks.trustGrants === 'off';
}

/**
 * A restriction is withdrawn only where each pair that it is about is covered by a rule that may override it: asking for
 * one harmless command must not carry a second one past the denial.
 */
function isWithdrawn(
  view: CallView,
  policies: CompiledPolicies,
  rule: CompiledRule,
  where: readonly { capability: CallCapability; subject: CallSubject }[],
): boolean {
  const overriders = policies
    .overridersOf(rule)
    .filter(({ effect, tier }) => effect !== 'allow' || !isOff(tier, policies));
  if (overriders.length === 0) return false;
  return where.every(({ capability, subject }) => {
    const alone = capability.carriers.filter((at) => rule.catches(subject, at));
    const about = alone.length > 0 ? alone : capability.carriers;
    return about.every((at) =>
      isCoveredAt(view, at, (index) =>
        overriders.some((overrider) => overridesAt(overrider, capability, index)),
      ),
    );
  });
}

function overridesAt(overrider: CompiledRule, capability: CallCapability, at: number): boolean {
  return capability.subjects.some(
    (subject) =>
      (overrider.actions.includes('*') || overrider.actions.includes(subject.capability)) &&
      overrider.covers(subject, at),
  );
}

/** A wrapper that only runs what is inside is covered when its inside is. */
export function isCoveredAt(view: CallView, at: number, covers: (at: number) => boolean): boolean {
  return check(at, 0);
  function check(index: number, depth: number): boolean {
    if (covers(index)) return true;
    const command = view.commands[index];
    if (command === undefined || !isTransparent(command) || depth > view.commands.length) return false;
    return command.command.inner.every((inner) => check(inner, depth + 1));
  }
}

function obligationsOf(rule: CompiledRule): Obligation[] {
  return (rule.rule.obligations ?? []).map((obligation) =>
    'rateLimit' in obligation ? { rateLimit: obligation.rateLimit, rule: rule.id } : obligation,
  );
}

function record(rule: CompiledRule, applied: boolean, on: string | null): RuleMatch {
  const { id, effect, tier, document, revision } = rule;
  return { id, effect, tier, document, revision, because: rule.rule.because, applied, on };
}

/** What a person sees beside the rule: the command that it caught, else the path or host that it asks about. */
function caughtText(view: CallView, rule: CompiledRule, subject: CallSubject): string | null {
  const { when } = rule.rule;
  const hidden = mayHideCommand(view, rule);
  if (hidden !== null) return hidden;
  const caught = view.commands.find(({ index }) => rule.catches(subject, index));
  if (when?.command !== undefined && caught !== undefined) return caught.command.text;
  const { project } = view.facts;
  const path = view.paths?.find((candidate) => rule.namesPath?.(candidate, project) === 'yes');
  if (path !== undefined) return path.claimed;
  const below = reachedBelow(view, rule);
  if (below !== null) return below;
  const [host] = view.facts.hosts === 'unknown' ? [] : view.facts.hosts;
  if (when?.host !== undefined && host !== undefined) return host.host;
  return caught?.command.text ?? null;
}

function coveredText(view: CallView, at: readonly number[]): string | null {
  const texts = at.flatMap((index) => view.commands[index]?.command.text ?? []);
  return texts.length === 0 ? null : texts.join('; ');
}
