import type { Facts } from './facts.js';
import type { DecisionId } from './ids.js';

/** Loosest to strictest. */
export const VERDICTS = ['allow', 'confirm', 'approve', 'deny'] as const;
export type Verdict = (typeof VERDICTS)[number];

export type PolicyTier = 'org' | 'team' | 'orgDefault' | 'builtin' | 'user' | 'project' | 'plugin';
export type PolicyState = 'none' | 'fresh' | 'stale' | 'expired' | 'undetermined';
export type FloorKind = 'hard' | 'acknowledged' | 'outside-read' | 'soft';

/** Who or what demanded something. `id`: rule id, floor name, tool name, actor or state name. */
export interface DecisionSource {
  readonly kind: 'rule' | 'floor' | 'tool' | 'actor' | 'state' | 'user' | 'hook' | 'trust';
  readonly id: string;
  readonly tier?: PolicyTier;
  readonly document?: string;
  readonly revision?: number;
}

/** The least strict verdict that something demands. */
export interface FloorRecord {
  readonly kind: FloorKind;
  readonly verdict: Verdict;
  readonly source: DecisionSource;
  /** One line for people: `tool bash needs confirmation`, `destructive: rm -rf`. */
  readonly reason: string;
  /** What lowered it, or null while it stands. */
  readonly loweredBy: DecisionSource | null;
}

/** A rule that matched, applied or not. `applied: false` = shadow mode, or overridden. */
export interface RuleMatch {
  readonly id: string;
  readonly effect: 'allow' | 'confirm' | 'approve' | 'deny' | 'oblige';
  readonly tier: PolicyTier;
  readonly document: string;
  readonly revision: number;
  readonly because: string;
  readonly applied: boolean;
  /** What it matched on: `kubectl drain n1`. */
  readonly on: string | null;
}

export type Obligation =
  | { readonly sandbox: 'read-only' | 'workspace-write' | 'no-network' }
  | { readonly redact: readonly string[] }
  | {
      readonly rateLimit: {
        readonly max: number;
        readonly perSeconds: number;
        readonly key: 'user' | 'team' | 'session';
      };
      /** The rule that demands it: one counter a rule and key. */
      readonly rule: string;
    };

export interface ApproversNeeded {
  readonly count: number;
  readonly from: readonly string[];
  readonly ttlMinutes: number | null;
  readonly excludeRequester: boolean;
}

/** Whether "always" can be offered, and what exactly would be stored. */
export type TrustOffer =
  | { readonly offered: true; readonly subjects: readonly TrustSubject[]; readonly expiresAt: string }
  | { readonly offered: false; readonly reason: string };

/** What a trust entry is about. Words are globs: `*` matches inside one word, `\*` is a star. */
export type TrustSubject =
  | { readonly kind: 'command'; readonly words: readonly string[] }
  | { readonly kind: 'path'; readonly path: string; readonly access: 'read' | 'write' }
  | { readonly kind: 'host'; readonly host: string };

/** The answer of the policy engine, with all that explains it. Frozen; secrets in `facts` are masked. */
export interface Decision {
  readonly id: DecisionId;
  /** After the channel: headless turns confirm into deny. */
  readonly verdict: Verdict;
  /** Before the channel. */
  readonly demanded: Verdict;
  /** The floor or rule that determined it. For `allow`: what lowered the strictest floor, or the tool. */
  readonly by: DecisionSource;
  readonly because: string;
  readonly instead: string | null;
  readonly floors: readonly FloorRecord[];
  readonly matches: readonly RuleMatch[];
  readonly obligations: readonly Obligation[];
  readonly approvers: ApproversNeeded | null;
  readonly trustOffer: TrustOffer;
  readonly facts: Facts;
  /** sha256 of the canonical facts. */
  readonly factsDigest: string;
  /** What an approval is bound to: actor, tool, definition, input, cwd, stable facts, before-hashes. */
  readonly approvalDigest: string;
  readonly policy: {
    readonly id: string | null;
    readonly revision: number | null;
    readonly state: PolicyState;
  };
  readonly micros: number;
}

/** A yes that a person gave to exactly one approvalDigest. */
export interface Approval {
  readonly digest: string;
  readonly given: 'confirm' | 'approve';
  readonly by: readonly string[];
  readonly at: string;
}
