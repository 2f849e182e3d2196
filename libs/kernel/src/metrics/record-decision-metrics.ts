import {
  DANGEROUS_CAPABILITIES,
  CANONICAL_CAPABILITIES,
  type Decision,
  type MetricsSink,
  VERDICTS,
} from '@wrongstack/contracts';

const CANONICAL: ReadonlySet<string> = new Set(CANONICAL_CAPABILITIES);

/** What a decision is counted by. Each value is one of few, whoever wrote the tool or the rule. */
export function decisionLabels(decision: Decision): {
  readonly verdict: string;
  readonly source: string;
  readonly tier: string;
  readonly capability: string;
  readonly state: string;
} {
  return {
    verdict: decision.verdict,
    source: decision.by.kind,
    tier: decision.by.tier ?? 'none',
    capability: leadingCapability(decision),
    state: decision.policy.state,
  };
}

/** The most dangerous thing that the call can do; a name that a tool author made up is `unknown`. */
function leadingCapability({ facts }: Decision): string {
  const names = facts.effective.map(({ name }) => (CANONICAL.has(name) ? name : 'unknown'));
  return names.find((name) => DANGEROUS_CAPABILITIES.includes(name)) ?? names[0] ?? 'unknown';
}

export function recordDecisionMetrics(metrics: MetricsSink, decision: Decision): void {
  metrics.counter('wrongstack_decisions_total', 1, decisionLabels(decision));
  metrics.histogram('wrongstack_decision_seconds', decision.micros / 1_000_000, {
    verdict: decision.verdict,
  });
  const lowered = decision.floors.flatMap(({ loweredBy }) => (loweredBy === null ? [] : [loweredBy]));
  if (lowered.some(({ kind }) => kind === 'trust')) metrics.counter('wrongstack_trust_uses_total');
  if (lowered.some(({ kind, id }) => kind === 'user' && id === 'yolo'))
    metrics.counter('wrongstack_yolo_uses_total');
  if (decision.floors.some(({ source, loweredBy }) => source.kind === 'state' && loweredBy === null))
    metrics.counter('wrongstack_policy_fail_closed_total', 1, { state: decision.policy.state });
  const effect = strictestUnapplied(decision);
  if (effect !== null) metrics.counter('wrongstack_policy_shadow_divergences_total', 1, { effect });
}

/** What a rule that matched and was not applied would have made of it, where that is more than what was decided. */
function strictestUnapplied({ matches, demanded }: Decision): string | null {
  const strictness = (verdict: string): number => VERDICTS.findIndex((known) => known === verdict);
  const stricter = matches
    .filter(({ applied, effect }) => !applied && strictness(effect) > strictness(demanded))
    .map(({ effect }) => effect)
    .sort((a, b) => strictness(b) - strictness(a));
  return stricter[0] ?? null;
}
