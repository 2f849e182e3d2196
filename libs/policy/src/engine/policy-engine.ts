import {
  newId,
  PermissionPolicy,
  WrongStackError,
  type ActorFacts,
  type Approval,
  type Decision,
  type DecisionId,
  type Facts,
  type RandomBytes,
  type ToolCall,
} from '@wrongstack/contracts';
import type { PolicyDocuments } from '../documents/policy-documents.js';
import type { Profile } from '../documents/profile-documents.js';
import { nodeFactFileSystem, type FactFileSystem } from '../facts/fact-file-system.js';
import { onceATurn } from '../looks/once-a-turn.js';
import { rememberingDisk } from '../looks/remembering-disk.js';
import type { PolicyContext } from '../policy-context.js';
import type { MergedLocks } from '../rules/merged-locks.js';
import { trustEntries } from '../trust/trust-entries.js';
import type { TrustStores } from '../trust/trust-store.js';
import { approvalStands, voided } from './approval-standing.js';
import { ContextSource } from './context-source.js';
import { DecisionMemory } from './decision-memory.js';
import { CallEvaluator, type Evaluation, type EvaluatorOptions } from './call-evaluator.js';
import { internalDenial } from './internal-denial.js';
import type { PolicyStateSource } from './policy-state-source.js';

export interface PolicyEngineOptions extends EvaluatorOptions {
  readonly documents: PolicyDocuments;
  readonly trust: TrustStores;
  readonly state: PolicyStateSource;
  readonly tenant?: { readonly org?: string; readonly team?: string };
  /** What the person chose; `guide` unless told. */
  readonly profile?: () => Profile;
  readonly fs?: FactFileSystem;
  readonly random?: RandomBytes;
}

/** Facts, then the pure decision, then everything that a decision carries with it. Whatever goes wrong, it denies. */
export class PolicyEngine extends PermissionPolicy {
  private readonly contexts: ContextSource;
  /** The disk as it is from now on, shared by the calls that arrived together. */
  private readonly diskNow: () => Promise<FactFileSystem>;
  private readonly evaluator: CallEvaluator;
  private readonly memory = new DecisionMemory();

  constructor(private readonly options: PolicyEngineOptions) {
    super();
    const { documents, trust, state, tenant, home, profile = () => 'guide' } = options;
    this.contexts = new ContextSource({ documents, trust, state, profile, compile: { tenant, home } });
    this.evaluator = new CallEvaluator(options);
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
      const disk = await this.diskNow();
      const context = await this.contexts.contextFor(await disk.realpath(call.projectRoot), call.actor);
      const evaluation = await this.evaluator.evaluate(call, id, disk, context);
      this.memory.keep(id, evaluation.facts, evaluation.parts);
      return evaluation;
    } catch (error) {
      const decision = internalDenial(call, error, id, this.options.clock);
      return { decision, parts: null, facts: null, context: null };
    }
  }
}
