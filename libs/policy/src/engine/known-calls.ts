import type {
  ActorFacts,
  CanonicalGaps,
  Decision,
  Facts,
  PolicyState,
  TrustOffer,
} from '@wrongstack/contracts';
import type { Verdicts } from '../decide/verdicts.js';
import type { RecordedLooks } from '../looks/recorded-looks.js';
import type { PolicyContext } from '../policy-context.js';
import type { CompiledPolicies } from '../rules/compiled-policies.js';
import type { TrustEntry } from '../trust/trust-entry.js';
import type { BoundParts } from './approval-parts.js';

/** What a conclusion rests on, beside the facts. */
export interface Grounds {
  readonly policies: CompiledPolicies;
  readonly trust: readonly TrustEntry[];
  readonly state: PolicyState;
  readonly spoolIsFull: boolean;
  /** Of the secrets that are masked. */
  readonly edition: number;
}

/** All of a decision that is the same whenever it is made, who makes it and when apart. */
export interface Conclusion {
  /** Null: on what cannot be told. */
  readonly grounds: Grounds | null;
  /** What of the actor it rests on, as JSON. */
  readonly actor: readonly (readonly [keyof ActorFacts, string])[];
  /** What the disk was asked for it. */
  readonly looks: RecordedLooks;
  /** Masked, as everything below. */
  readonly verdicts: Verdicts;
  readonly trustOffer: TrustOffer;
  readonly facts: Facts;
  readonly factsText: CanonicalGaps<'actor' | 'now'>;
  readonly bound: BoundParts;
  readonly policy: Decision['policy'];
  readonly text: CanonicalGaps<DecisionGap>;
  readonly size: number;
}

export type DecisionGap = 'approvalDigest' | 'facts' | 'factsDigest' | 'id' | 'micros' | 'trustOffer';

/** The facts of a call, and what was concluded from them. */
export interface KnownCall {
  readonly facts: Facts;
  /** What the disk was asked for the facts. */
  readonly looks: RecordedLooks;
  readonly conclusions: readonly Conclusion[];
}

/** For callers under other policies, or whom rules tell apart. */
const MOST_CONCLUSIONS = 16;
/** What a text of that many characters comes to in objects beside it, roughly. */
const BYTES_A_CHARACTER = 6;

/**
 * Calls that were decided before, so that the same call need not be worked out anew: the longest unused is forgotten first. What is kept is
 * never believed: its looks at the disk are made again, and what it rests on is compared.
 */
export class KnownCalls {
  readonly #calls = new Map<string, KnownCall & { readonly size: number }>();
  #size = 0;

  constructor(private readonly mostBytes: number) {}

  get(key: string): KnownCall | undefined {
    const known = this.#calls.get(key);
    if (known === undefined) return undefined;
    this.#calls.delete(key);
    this.#calls.set(key, known);
    return known;
  }

  keep(key: string, call: KnownCall): void {
    this.#drop(key);
    const conclusions = call.conclusions.slice(0, MOST_CONCLUSIONS);
    const size = conclusions.reduce((sum, one) => sum + one.size, key.length * 2) * BYTES_A_CHARACTER;
    if (size > this.mostBytes / 8) return;
    this.#calls.set(key, { ...call, conclusions, size });
    this.#size += size;
    for (const oldest of this.#calls.keys()) {
      if (this.#size <= this.mostBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#calls.get(key)?.size ?? 0;
    this.#calls.delete(key);
  }
}

export function restsOn(conclusion: Conclusion, grounds: Grounds, actor: ActorFacts): boolean {
  if (conclusion.grounds === null) return false;
  const { policies, trust, state, spoolIsFull, edition } = conclusion.grounds;
  return (
    policies === grounds.policies &&
    trust === grounds.trust &&
    state === grounds.state &&
    spoolIsFull === grounds.spoolIsFull &&
    edition === grounds.edition &&
    conclusion.actor.every(([name, json]) => json === jsonOf(actor[name]))
  );
}

export function jsonOf(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

const NOTHING_TRUSTED: readonly TrustEntry[] = [];

/** Null where nothing may be kept: what is broken may say something else each time. */
export function groundsOf(context: PolicyContext, edition: number): Grounds | null {
  const { policies, trust, state, spoolIsFull = false, failure } = context;
  if (failure !== null || trust.status !== 'ok') return null;
  const entries = trust.entries.length === 0 ? NOTHING_TRUSTED : trust.entries;
  return { policies, trust: entries, state, spoolIsFull, edition };
}
