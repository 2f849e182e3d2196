import type { Decision, DecisionSource, FloorKind, Verdict } from '@wrongstack/contracts';

/** A decision as a person reads it: plain data without colour or width, so that every surface draws it its own way. */
export interface ExplainView {
  readonly verdict: Verdict;
  /** Before the channel, where that differs: a confirm that nobody can answer is a denial. */
  readonly demanded: Verdict | null;
  /** `rule no-prod-kube`, `tool bash`. */
  readonly by: string;
  readonly micros: number;
  readonly demands: readonly ExplainedDemand[];
  /** Rules that matched without being floors of their own: allows, obligations, shadow and overridden rules. */
  readonly matches: readonly ExplainedMatch[];
  readonly because: string;
  readonly instead: string | null;
  readonly approvers: string | null;
  readonly obligations: readonly string[];
  /** `kubectl drain n1 (through sudo)`, then capabilities, paths and hosts. */
  readonly facts: readonly string[];
  readonly policy: string;
  readonly factsDigest: string;
  readonly trust: string;
  readonly noMatch: readonly { readonly rule: string; readonly reason: string }[];
}

export interface ExplainedDemand {
  readonly verdict: Verdict;
  readonly source: string;
  /** `team payments r42`; empty where no document stands behind it. */
  readonly document: string;
  readonly kind: FloorKind;
  readonly reason: string;
  /** `not lowered`, or `lowered by trust g-…`. */
  readonly outcome: string;
}

export interface ExplainedMatch {
  readonly rule: string;
  readonly effect: string;
  readonly document: string;
  readonly on: string | null;
  readonly because: string;
  /** `applied`, or why not: `shadow or overridden`. */
  readonly outcome: string;
}

/** `rule no-prod-kube`. */
export function sourceName(source: DecisionSource): string {
  return `${source.kind} ${source.id}`;
}

/** `team payments r42`. */
export function documentName(source: Pick<DecisionSource, 'tier' | 'document' | 'revision'>): string {
  const parts = [
    source.tier,
    source.document,
    source.revision === undefined ? undefined : `r${source.revision}`,
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}

export function policyName(decision: Decision): string {
  const { id, revision, state } = decision.policy;
  return id === null ? `no central policy (${state})` : `${id} r${revision ?? '?'} ${state}`;
}
