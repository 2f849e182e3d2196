import {
  CanonicalGaps,
  canonicalJson,
  deepFreeze,
  isoNow,
  keepText,
  sha256,
  type ActorFacts,
  type Clock,
  type Decision,
  type DecisionId,
  type Facts,
  type ToolCall,
  type TrustOffer,
} from '@wrongstack/contracts';
import { decide } from '../decide/decide.js';
import type { Verdicts } from '../decide/verdicts.js';
import { claimsOf, type CheckedClaims } from '../facts/checked-claims.js';
import { factsFrom } from '../facts/compute-facts.js';
import type { FactFileSystem } from '../facts/fact-file-system.js';
import { redactFacts, type Scrub } from '../facts/redact-facts.js';
import { RecordedLooks } from '../looks/recorded-looks.js';
import type { PolicyContext } from '../policy-context.js';
import { offeredUntil, offerTrust } from '../trust/offer-trust.js';
import { approvalParts, boundParts, type ApprovalParts } from './approval-parts.js';
import { callKey } from './call-key.js';
import {
  type Conclusion,
  type DecisionGap,
  type Grounds,
  groundsOf,
  jsonOf,
  type KnownCall,
  KnownCalls,
  restsOn,
} from './known-calls.js';
import { watchedFacts, type FactReads } from './watched-facts.js';

/** What a server that decides the same calls again and again keeps of them. */
export interface RecallOptions {
  /** Bytes of memory at most, roughly. */
  readonly bytes: number;
  /** Another number whenever the scrubber has learned a secret: what was masked before is then masked anew. */
  readonly scrubEdition: () => number;
}

export interface EvaluatorOptions {
  readonly clock: Clock;
  readonly home: string;
  /** `~/.wrongstack`. */
  readonly agentHome: string;
  readonly scrub: Scrub;
  readonly toolchainScratch?: readonly string[];
  readonly pluginDigest?: (owner: string) => string | undefined;
  /** Microseconds since some moment. */
  readonly micros?: () => number;
  /** Missing = nothing is kept. */
  readonly recall?: RecallOptions;
}

/** What one evaluation found, before secrets are masked. */
export interface Evaluation {
  readonly facts: Facts;
  readonly context: PolicyContext;
  readonly decision: Decision;
  readonly parts: ApprovalParts;
}

/** Meta-tools may nest this deep. */
const MAX_NESTING = 2;

/**
 * Facts, then the pure decision, then everything that a decision carries with it. With `recall`, a call that came before is looked
 * at and not worked out: every question that was asked of the disk is asked again, and everything else that the result rests on is
 * compared. Where all of it is the same, so is the result.
 */
export class CallEvaluator {
  private readonly known: KnownCalls | null;

  constructor(private readonly options: EvaluatorOptions) {
    const { recall } = options;
    this.known = recall === undefined ? null : new KnownCalls(recall.bytes);
  }

  async evaluate(
    call: ToolCall,
    id: DecisionId,
    disk: FactFileSystem,
    context: PolicyContext,
  ): Promise<Evaluation> {
    const { clock, micros = defaultMicros } = this.options;
    const claims = claimsOf(call, clock);
    const key = this.known === null ? null : callKey(call, claims, this.trustsClaims(call, context));
    const actor = frozenCopy(call.actor);
    const known = await this.factsOf(call, claims, key, disk, context);
    const facts: Facts = Object.freeze({ ...known.facts, actor, now: isoNow(clock) });
    const started = micros();
    const grounds = key === null ? null : this.groundsOf(context);
    const again = await recalled(known, grounds, actor, disk);
    if (again !== null) return this.evaluation(again, id, facts, context, micros() - started);
    const fresh = await this.conclude(call, facts, context, grounds, disk);
    if (key !== null && fresh.lasts && known.looks.areFew)
      this.known?.keep(key, { ...known, conclusions: [fresh.conclusion, ...known.conclusions] });
    return this.evaluation(fresh.conclusion, id, facts, context, fresh.micros);
  }

  private groundsOf(context: PolicyContext): Grounds | null {
    const { recall } = this.options;
    return recall === undefined ? null : groundsOf(context, recall.scrubEdition());
  }

  /** As they are known, if the disk still says the same to every question; else worked out. */
  private async factsOf(
    call: ToolCall,
    claims: CheckedClaims,
    key: string | null,
    disk: FactFileSystem,
    context: PolicyContext,
  ): Promise<KnownCall> {
    const known = key === null ? undefined : this.known?.get(key);
    if (known !== undefined && (await known.looks.stand(disk))) return known;
    const { home, agentHome, clock, toolchainScratch = [] } = this.options;
    const looks = new RecordedLooks();
    const facts = await factsFrom(call, claims, {
      ...{ home, agentHome, clock, toolchainScratch },
      fs: key === null ? disk : looks.on(disk),
      trustsClaimsOf: () => this.trustsClaims(call, context),
    });
    return { facts, looks, conclusions: [] };
  }

  /** May claims of this tool's plugin satisfy an allow? */
  private trustsClaims({ tool }: ToolCall, { policies }: PolicyContext): boolean {
    const { pluginDigest } = this.options;
    if (tool.owner === 'core') return true;
    return (policies.locks.plugins.allow ?? []).some(
      ({ name, digest, claims }) => claims && name === tool.owner && digest === pluginDigest?.(name),
    );
  }

  private async conclude(
    call: ToolCall,
    facts: Facts,
    context: PolicyContext,
    grounds: Grounds | null,
    disk: FactFileSystem,
  ): Promise<{ readonly conclusion: Conclusion; readonly lasts: boolean; readonly micros: number }> {
    const { micros = defaultMicros, clock, scrub } = this.options;
    const watched = grounds === null ? { facts, reads: NO_READS } : watchedFacts(facts);
    const started = micros();
    const found = nestedTooDeep(call) ?? decide(watched.facts, context, call.hookDemands);
    const took = micros() - started;
    const asks = found.demanded === 'confirm' || found.demanded === 'approve';
    const looks = new RecordedLooks();
    const bound = await boundParts(call, facts, grounds === null ? disk : looks.on(disk), asks);
    const { demanded, floors } = found;
    const { policies, state } = context;
    const trustOffer = offerTrust({
      ...{ facts, demanded, floors, clock, locks: policies.locks },
      isSecret: (text) => scrub(text) !== text,
    });
    const policy = { id: policies.id, revision: policies.revision, state };
    const masked = { verdicts: masks(found, scrub), facts: redactFacts(facts, scrub), policy, trustOffer };
    const conclusion = concluded(masked, bound, { grounds, looks, actor: actorReads(watched.reads, facts) });
    return { conclusion, lasts: grounds !== null && !watched.reads.now && looks.areFew, micros: took };
  }

  private evaluation(
    { verdicts, facts: masked, factsText, bound, policy, text, trustOffer }: Conclusion,
    id: DecisionId,
    facts: Facts,
    context: PolicyContext,
    took: number,
  ): Evaluation {
    const { actor, now } = facts;
    const { clock } = this.options;
    const actorText = canonicalJson(actor);
    const texts = factsText.fill({ actor: actorText, now: JSON.stringify(now) });
    const parts = approvalParts(bound, actorText);
    const offer: TrustOffer = trustOffer.offered
      ? deepFreeze({ ...trustOffer, expiresAt: offeredUntil(clock, context.policies.locks) })
      : trustOffer;
    const decision: Decision = Object.freeze({
      id,
      ...verdicts,
      trustOffer: offer,
      facts: Object.freeze({ ...masked, actor, now }),
      // Of what is stored, so that an auditor can check it against the record.
      factsDigest: sha256(texts),
      approvalDigest: parts.digest,
      policy,
      micros: Math.max(0, Math.round(took)),
    });
    const { factsDigest, approvalDigest, micros } = decision;
    const gaps: Record<DecisionGap, string> = {
      ...{ facts: texts, factsDigest: `"${factsDigest}"`, approvalDigest: `"${approvalDigest}"` },
      ...{ id: JSON.stringify(id), micros: String(micros), trustOffer: canonicalJson(offer) },
    };
    // It is written several times: to the log, to whoever asked, and to be hashed.
    keepText(decision, text.fill(gaps));
    return { facts, context, decision, parts };
  }
}

const NO_READS: FactReads = { now: true, actor: new Set() };

const defaultMicros = (): number => performance.now() * 1_000;

/** What is known to hold for this caller now. */
async function recalled(
  { conclusions }: KnownCall,
  grounds: Grounds | null,
  actor: ActorFacts,
  disk: FactFileSystem,
): Promise<Conclusion | null> {
  if (grounds === null) return null;
  const found = conclusions.find((conclusion) => restsOn(conclusion, grounds, actor));
  return found !== undefined && (await found.looks.stand(disk)) ? found : null;
}

function concluded(
  masked: Pick<Conclusion, 'verdicts' | 'facts' | 'policy' | 'trustOffer'>,
  bound: Conclusion['bound'],
  restsOn: Pick<Conclusion, 'grounds' | 'looks' | 'actor'>,
): Conclusion {
  const gaps: readonly DecisionGap[] = [
    'approvalDigest',
    'facts',
    'factsDigest',
    'id',
    'micros',
    'trustOffer',
  ];
  const { verdicts, facts, policy } = deepFreeze(masked);
  const factsText = new CanonicalGaps({ ...facts }, ['actor', 'now']);
  const text = new CanonicalGaps({ ...verdicts, policy }, gaps);
  const size = factsText.length + text.length + bound.text.length;
  return { ...masked, ...restsOn, bound, factsText, text, size };
}

function masks(verdicts: Verdicts, scrub: Scrub): Verdicts {
  return {
    ...verdicts,
    because: scrub(verdicts.because),
    floors: verdicts.floors.map((floor) => ({ ...floor, reason: scrub(floor.reason) })),
    matches: verdicts.matches.map((match) => ({ ...match, on: match.on === null ? null : scrub(match.on) })),
  };
}

function actorReads({ actor: names }: FactReads, { actor }: Facts): Conclusion['actor'] {
  return [...names].map((name) => [name, jsonOf(actor[name])] as const);
}

const frozenActors = new WeakSet<ActorFacts>();

/** Frozen to its depth, with its text: whoever hands in the same actor again, frozen, pays for neither. */
function frozenCopy(actor: ActorFacts | null | undefined): ActorFacts {
  // Nobody: the decision sees that, and refuses.
  if (typeof actor !== 'object' || actor === null) return null as unknown as ActorFacts;
  if (frozenActors.has(actor)) return actor;
  const copy = isFrozenWhole(actor) ? actor : deepFreeze(structuredClone(actor));
  keepText(copy, canonicalJson(copy));
  frozenActors.add(copy);
  return copy;
}

function isFrozenWhole(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return Object.isFrozen(value) && Object.values(value).every(isFrozenWhole);
}

/** A tool that runs tools that run tools: at most two levels, whatever the policy says. */
function nestedTooDeep(call: ToolCall): Verdicts | null {
  if (call.nesting <= MAX_NESTING) return null;
  const source = { kind: 'floor', id: 'nesting' } as const;
  const reason = `tools may run tools ${MAX_NESTING} levels deep, this is level ${call.nesting}`;
  return {
    verdict: 'deny',
    demanded: 'deny',
    by: source,
    because: reason,
    instead: 'call the tool directly',
    floors: [{ kind: 'hard', verdict: 'deny', source, reason, loweredBy: null }],
    matches: [],
    obligations: [],
    approvers: null,
  };
}
