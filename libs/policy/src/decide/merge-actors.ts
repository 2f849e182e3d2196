import { canonicalJson, type FloorRecord, type Obligation, type RuleMatch } from '@wrongstack/contracts';

/** The floors of an actor and of those that started it: what was lowered for one and stands for another, stands. */
export function mergeFloors(lists: readonly (readonly FloorRecord[])[]): readonly FloorRecord[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return first;
  const merged = new Map<string, FloorRecord>();
  for (const floor of lists.flat()) {
    const { kind, verdict, source, reason } = floor;
    const key = JSON.stringify([kind, verdict, source.kind, source.id, source.tier, source.document, reason]);
    const known = merged.get(key);
    if (known === undefined || known.loweredBy !== null) merged.set(key, floor);
  }
  return [...merged.values()];
}

/** Applied for one is applied. */
export function mergeMatches(lists: readonly (readonly RuleMatch[])[]): readonly RuleMatch[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return first;
  const merged = new Map<string, RuleMatch>();
  for (const match of lists.flat()) {
    const key = JSON.stringify([match.tier, match.document, match.id]);
    const known = merged.get(key);
    if (known === undefined || (!known.applied && match.applied)) merged.set(key, match);
  }
  return [...merged.values()];
}

/** Each obligation once. */
export function mergeObligations(lists: readonly (readonly Obligation[])[]): readonly Obligation[] {
  const all = lists.flat();
  if (all.length < 2) return all;
  return [...new Map(all.map((obligation) => [canonicalJson(obligation), obligation])).values()];
}
