import { VERDICTS, type Verdict } from './verdicts.js';
import { type Json, listIn, numberIn, objectIn, textIn } from '../../parts/json.js';

/** Who or what demanded or lowered something: `rule no-prod (payments r42)`. */
export type Source = string;

export interface FloorView {
  readonly kind: string;
  readonly verdict: Verdict | null;
  readonly source: Source;
  readonly reason: string;
  readonly loweredBy: Source | null;
}

export interface MatchView {
  readonly id: string;
  readonly effect: string;
  readonly where: string;
  readonly because: string;
  readonly applied: boolean;
  readonly on: string | null;
}

/** A decision as a person reads it. */
export interface DecisionView {
  readonly verdict: Verdict;
  readonly demanded: Verdict | null;
  readonly by: Source;
  readonly because: string;
  readonly instead: string | null;
  readonly floors: readonly FloorView[];
  readonly matches: readonly MatchView[];
  readonly facts: unknown;
  readonly tool: string;
  readonly command: string | null;
  readonly policy: string | null;
  readonly micros: number | null;
}

/** Null where there is none, or one that has not even a verdict. */
export function readDecision(entry: unknown): DecisionView | null {
  const decision = objectIn(objectIn(entry)['decision']);
  const verdict = verdictIn(decision['verdict']);
  if (verdict === null) return null;
  const facts = objectIn(decision['facts']);
  return {
    verdict,
    demanded: verdictIn(decision['demanded']),
    by: sourceIn(decision['by']) ?? 'nobody that is named',
    because: textIn(decision['because']) ?? '',
    instead: textIn(decision['instead']),
    floors: listIn(decision['floors']).map((floor) => floorIn(objectIn(floor))),
    matches: listIn(decision['matches']).map((match) => matchIn(objectIn(match))),
    facts: decision['facts'],
    tool: textIn(facts['tool']) ?? '',
    command: textIn(objectIn(facts['command'])['text']),
    policy: policyIn(objectIn(decision['policy'])),
    micros: numberIn(decision['micros']),
  };
}

export function verdictIn(value: unknown): Verdict | null {
  return VERDICTS.find((verdict) => verdict === value) ?? null;
}

function sourceIn(value: unknown): Source | null {
  const source = objectIn(value);
  const id = textIn(source['id']);
  if (id === null) return null;
  return [textIn(source['kind']), id, placeIn(source)]
    .filter((part) => part !== null && part !== '')
    .join(' ');
}

function placeIn(source: Json): string {
  const document = textIn(source['document']);
  const revision = numberIn(source['revision']);
  const tier = textIn(source['tier']);
  const place = [tier, document, revision === null ? null : `r${revision}`].filter((part) => part !== null);
  return place.length === 0 ? '' : `(${place.join(' ')})`;
}

function floorIn(floor: Json): FloorView {
  return {
    kind: textIn(floor['kind']) ?? '?',
    verdict: verdictIn(floor['verdict']),
    source: sourceIn(floor['source']) ?? '?',
    reason: textIn(floor['reason']) ?? '',
    loweredBy: sourceIn(floor['loweredBy']),
  };
}

function matchIn(match: Json): MatchView {
  return {
    id: textIn(match['id']) ?? '?',
    effect: textIn(match['effect']) ?? '?',
    where: placeIn(match),
    because: textIn(match['because']) ?? '',
    applied: match['applied'] === true,
    on: textIn(match['on']),
  };
}

function policyIn(policy: Json): string | null {
  const id = textIn(policy['id']);
  const revision = numberIn(policy['revision']);
  const state = textIn(policy['state']);
  const parts = [id, revision === null ? null : `r${revision}`, state].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}
