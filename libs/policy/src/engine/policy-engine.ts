import {
  deepFreeze,
  digestOf,
  newId,
  PermissionPolicy,
  WrongStackError,
  type ActorFacts,
  type Approval,
  type Clock,
  type Decision,
  type DecisionId,
  type Facts,
  type RandomBytes,
  type ToolCall,
} from '@wrongstack/contracts';
import { decide } from '../decide/decide.js';
import type { Verdicts } from '../decide/verdicts.js';
import type { PolicyDocuments } from '../documents/policy-documents.js';
import type { Profile } from '../documents/profile-documents.js';
import { computeFacts } from '../facts/compute-facts.js';
import { nodeFactFileSystem, type FactFileSystem } from '../facts/fact-file-system.js';
import { redactFacts, type Scrub } from '../facts/redact-facts.js';
import { onceATurn } from '../looks/once-a-turn.js';
import { rememberingDisk } from '../looks/remembering-disk.js';
import type { PolicyContext } from '../policy-context.js';
import type { MergedLocks } from '../rules/merged-locks.js';
import { offerTrust } from '../trust/offer-trust.js';
import { trustEntries } from '../trust/trust-entries.js';
import type { TrustStores } from '../trust/trust-store.js';
import { approvalParts, type ApprovalParts } from './approval-parts.js';
import { approvalStands, voided } from './approval-standing.js';
import { ContextSource } from './context-source.js';
import { DecisionMemory } from './decision-memory.js';
import { internalDenial } from './internal-denial.js';
import type { PolicyStateSource } from './policy-state-source.js';

export interface PolicyEngineOptions {
  readonly documents: PolicyDocuments;
  readonly trust: TrustStores;
  readonly state: PolicyStateSource;
  readonly clock: Clock;
  readonly home: string;
  /** `~/.wrongstack`. */
  readonly agentHome: string;
  /** Masks secrets in everything of a decision that is stored or shown. */
  readonly scrub: Scrub;
  readonly toolchainScratch?: readonly string[];
  readonly tenant?: { readonly org?: string; readonly team?: string };
  /** What the person chose; `guide` unless told. */
  readonly profile?: () => Profile;
  /** Digest of a loaded plugin, for `locks.plugins.allow[].claims`. Without it no plugin's claims satisfy an allow. */
  readonly pluginDigest?: (owner: string) => string | undefined;
  readonly fs?: FactFileSystem;
  readonly random?: RandomBytes;
  /** Microseconds since some moment. */
  readonly micros?: () => number;
}

/** Meta-tools may nest this deep. */
const MAX_NESTING = 2;

/** What one evaluation found, before secrets are masked. */
interface Evaluation {
  readonly facts: Facts;
  readonly context: PolicyContext;
  readonly decision: Decision;
  readonly parts: ApprovalParts;
}

/** Facts, then the pure decision, then everything that a decision carries with it. Whatever goes wrong, it denies. */
export class PolicyEngine extends PermissionPolicy {
  private readonly contexts: ContextSource;
  /** The disk as it is from now on, shared by the calls that arrived together. */
  private readonly diskNow: () => Promise<FactFileSystem>;
  private readonly memory = new DecisionMemory();

  constructor(private readonly options: PolicyEngineOptions) {
    super();
    const { documents, trust, state, tenant, home, profile = () => 'guide' } = options;
    this.contexts = new ContextSource({ documents, trust, state, profile, compile: { tenant, home } });
    const disk = options.fs ?? nodeFactFileSystem;
    const look = onceATurn((_all: null) => Promise.resolve(rememberingDisk(disk)));
    this.diskNow = () => look(null);
  }

  override async decide(call: ToolCall): Promise<Decision> {
    return (await this.evaluateSafely(call)).decision;
  }

  override async recheck(call: ToolCall, decision: Decision, approval: Approval | null): Promise<Decision> {
    const now = await this.evaluateSafely(call);
    const fresh = now.decision;
    if (fresh.verdict === 'allow' || fresh.demanded === 'deny' || approval === null) return fresh;
    if (now.parts === null || approval.digest !== fresh.approvalDigest) {
      const before = this.memory.partsOf(decision.id);
      return voided(fresh, before, now.parts);
    }
    return approvalStands(fresh, decision, approval);
  }

  override async remember(call: ToolCall, decision: Decision, effect: 'allow' | 'deny'): Promise<void> {
    const { trustOffer } = decision;
    if (!trustOffer.offered) {
      throw new WrongStackError('trust.not_offered', `nothing can be remembered: ${trustOffer.reason}`);
    }
    const project = this.memory.projectOf(decision.id);
    if (project === undefined || decision.facts.definitionDigest !== call.tool.definitionDigest) {
      throw new WrongStackError(
        'trust.not_offered',
        `decision ${decision.id} is not about this call: ask again`,
      );
    }
    const { trustGrants } = (await this.contexts.contextFor(project)).policies.locks;
    if (trustGrants === 'off' && effect === 'allow') {
      throw new WrongStackError(
        'trust.not_offered',
        'trust grants have been switched off by policy meanwhile',
      );
    }
    const entries = trustEntries(trustOffer, decision.facts, effect, {
      clock: this.options.clock,
      newId: () => `g-${newId('DecisionId', this.options.random).slice(2)}`,
    });
    await this.contexts.storeFor(project, effect, trustGrants).add(entries);
  }

  override decidedPaths(decision: DecisionId): readonly string[] | null {
    return this.memory.pathsOf(decision);
  }

  /** The merged locks in force for a project (its real path); `actor`: for whom, where one process decides for many people. */
  async locks(project: string, actor?: ActorFacts): Promise<MergedLocks> {
    return (await this.contexts.contextFor(project, actor)).policies.locks;
  }

  /** Everything that `policy explain` shows: the decision, and the rules and facts behind it. */
  async inspect(call: ToolCall): Promise<{
    readonly decision: Decision;
    readonly facts: Facts | null;
    readonly context: PolicyContext | null;
  }> {
    const { decision, facts, context } = await this.evaluateSafely(call);
    return { decision, facts, context };
  }

  private async evaluateSafely(
    call: ToolCall,
  ): Promise<Evaluation | { decision: Decision; parts: null; facts: null; context: null }> {
    const id = newId('DecisionId', this.options.random);
    try {
      const evaluation = await this.evaluate(call, id);
      this.memory.keep(id, evaluation.facts, evaluation.parts);
      return evaluation;
    } catch (error) {
      const decision = internalDenial(call, error, id, this.options.clock);
      return { decision, parts: null, facts: null, context: null };
    }
  }

  private async evaluate(call: ToolCall, id: DecisionId): Promise<Evaluation> {
    const disk = await this.diskNow();
    const context = await this.contexts.contextFor(await disk.realpath(call.projectRoot), call.actor);
    const facts = await this.factsOf(call, context, disk);
    const micros = this.options.micros ?? (() => performance.now() * 1_000);
    const started = micros();
    const verdicts = nestedTooDeep(call) ?? decide(facts, context, call.hookDemands);
    const took = Math.max(0, Math.round(micros() - started));
    const asks = verdicts.demanded === 'confirm' || verdicts.demanded === 'approve';
    const parts = await approvalParts(call, facts, disk, asks);
    const decision = this.assemble(id, facts, context, verdicts, parts.digest, took);
    return { facts, context, decision, parts };
  }

  private factsOf(call: ToolCall, context: PolicyContext, fs: FactFileSystem): Promise<Facts> {
    const { home, agentHome, clock, toolchainScratch = [], pluginDigest } = this.options;
    const allowed = context.policies.locks.plugins.allow ?? [];
    return computeFacts(call, {
      home,
      agentHome,
      clock,
      toolchainScratch,
      fs,
      trustsClaimsOf: (owner) =>
        allowed.some(
          ({ name, digest, claims }) => claims && name === owner && digest === pluginDigest?.(owner),
        ),
    });
  }

  private assemble(
    id: DecisionId,
    facts: Facts,
    context: PolicyContext,
    verdicts: Verdicts,
    approvalDigest: string,
    micros: number,
  ): Decision {
    const { scrub, clock } = this.options;
    const { policies, state } = context;
    const redacted = redactFacts(facts, scrub);
    const trustOffer = offerTrust({
      facts,
      demanded: verdicts.demanded,
      floors: verdicts.floors,
      locks: policies.locks,
      clock,
      isSecret: (text) => scrub(text) !== text,
    });
    return deepFreeze<Decision>({
      id,
      ...verdicts,
      because: scrub(verdicts.because),
      floors: verdicts.floors.map((floor) => ({ ...floor, reason: scrub(floor.reason) })),
      matches: verdicts.matches.map((match) => ({
        ...match,
        on: match.on === null ? null : scrub(match.on),
      })),
      trustOffer,
      facts: redacted,
      // Of what is stored, so that an auditor can check it against the record.
      factsDigest: digestOf(redacted),
      approvalDigest,
      policy: { id: policies.id, revision: policies.revision, state },
      micros,
    });
  }
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
