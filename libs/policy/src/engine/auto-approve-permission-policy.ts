import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  DANGEROUS_CAPABILITIES,
  deepFreeze,
  digestOf,
  isCanonicalCapability,
  newId,
  PermissionPolicy,
  systemClock,
  WrongStackError,
  type Approval,
  type Capability,
  type Clock,
  type Decision,
  type DecisionId,
  type Facts,
  type FloorRecord,
  type ToolCall,
} from '@wrongstack/contracts';
import { computeFacts } from '../facts/compute-facts.js';
import { internalDenial } from './internal-denial.js';

export interface AutoApproveOptions {
  /** Capabilities that may be used. Default: every canonical one that is not dangerous. */
  readonly allowCapabilities?: readonly Capability[];
  /** Never allowed, whatever `allowCapabilities` says. */
  readonly denyCapabilities?: readonly Capability[];
  /** The policy that decides first; this one only answers its questions. */
  readonly base?: PermissionPolicy;
  /** Without a base: where home is, for telling inside from outside. */
  readonly home?: string;
  readonly clock?: Clock;
}

/**
 * For actors that nobody watches: allows or denies by capability and never prompts.
 *
 * Every effective capability of the call (declared, or implied by what it touches) must be allowed and none denied. A
 * dangerous capability, and `unknown` for a tool that declares none, has to be named in `allowCapabilities`. What the
 * base policy denies stays denied; what it would ask about is answered here, but only where nothing stricter than an
 * ordinary question stands: destructive calls, protected paths, credentials and approvals by others are denied.
 */
export class AutoApprovePermissionPolicy extends PermissionPolicy {
  private readonly allowed: ReadonlySet<string> | null;
  private readonly denied: ReadonlySet<string>;
  private readonly clock: Clock;

  constructor(private readonly options: AutoApproveOptions = {}) {
    super();
    this.allowed = options.allowCapabilities === undefined ? null : new Set(options.allowCapabilities);
    this.denied = new Set(options.denyCapabilities ?? []);
    this.clock = options.clock ?? systemClock;
  }

  override async decide(call: ToolCall): Promise<Decision> {
    try {
      const base =
        this.options.base === undefined ? await this.alone(call) : await this.options.base.decide(call);
      return this.answer(base);
    } catch (error) {
      return internalDenial(call, error, newId('DecisionId'), this.clock);
    }
  }

  override async recheck(call: ToolCall, decision: Decision, approval: Approval | null): Promise<Decision> {
    try {
      const { base } = this.options;
      const fresh =
        base === undefined ? await this.alone(call) : await base.recheck(call, decision, approval);
      return this.answer(fresh);
    } catch (error) {
      return internalDenial(call, error, newId('DecisionId'), this.clock);
    }
  }

  override decidedPaths(decision: DecisionId): readonly string[] | null {
    return this.options.base?.decidedPaths(decision) ?? null;
  }

  override async remember(): Promise<void> {
    throw new WrongStackError(
      'trust.not_offered',
      'nobody is there to say always: an unattended policy remembers nothing',
    );
  }

  private answer(base: Decision): Decision {
    if (base.demanded === 'deny' || (base.verdict === 'deny' && base.demanded === 'allow'))
      return asDenial(base, base.because);
    const capability = base.facts.effective.find(({ name }) => !this.allows(name))?.name;
    if (capability !== undefined) {
      return asDenial(base, `capability ${capability} is not allowed for unattended actors`);
    }
    const standing = base.floors.find((floor) => floor.loweredBy === null && isMoreThanAQuestion(floor));
    if (base.demanded === 'approve' || standing !== undefined) {
      return asDenial(base, `nobody is there to answer: ${standing?.reason ?? base.because}`);
    }
    if (base.demanded === 'allow') return base;
    return deepFreeze<Decision>({
      ...base,
      verdict: 'allow',
      by: { kind: 'actor', id: 'auto-approve' },
      because: 'every capability of the call is allowed for unattended actors',
      trustOffer: { offered: false, reason: 'nobody is asked' },
    });
  }

  private allows(name: Capability): boolean {
    if (this.denied.has(name)) return false;
    // Denying fs.write denies writing elsewhere too; allowing it does not allow that.
    if (name === 'fs.write.outside-project' && this.denied.has('fs.write')) return false;
    if (!isCanonicalCapability(name) && this.denied.has('unknown')) return false;
    if (this.allowed !== null) return this.allowed.has(name);
    return isCanonicalCapability(name) && !DANGEROUS_CAPABILITIES.includes(name);
  }

  /** No policy engine behind it: the facts, and the floors that need no policy to be seen. */
  private async alone(call: ToolCall): Promise<Decision> {
    const home = this.options.home ?? homedir();
    const facts = await computeFacts(call, {
      home,
      agentHome: join(home, '.wrongstack'),
      clock: this.clock,
      toolchainScratch: [],
    });
    const floors = floorsOf(facts, call);
    const denied = floors.some(({ verdict }) => verdict === 'deny');
    const demanded = denied ? 'deny' : floors.length > 0 ? 'confirm' : 'allow';
    const first = floors.find(({ verdict }) => verdict === demanded);
    return deepFreeze<Decision>({
      id: newId('DecisionId'),
      verdict: demanded,
      demanded,
      by: first?.source ?? { kind: 'tool', id: facts.tool },
      because: first?.reason ?? `tool ${facts.tool} runs unasked`,
      instead: null,
      floors,
      matches: [],
      obligations: [],
      approvers: null,
      trustOffer: { offered: false, reason: 'nobody is asked' },
      facts,
      factsDigest: digestOf(facts),
      approvalDigest: digestOf([call.input, facts.cwd, facts.tool, facts.definitionDigest]),
      policy: { id: null, revision: null, state: 'none' },
      micros: 0,
    });
  }
}

function asDenial(base: Decision, because: string): Decision {
  if (base.verdict === 'deny' && base.because === because) return base;
  return deepFreeze<Decision>({
    ...base,
    verdict: 'deny',
    demanded: 'deny',
    by: base.demanded === 'deny' ? base.by : { kind: 'actor', id: 'auto-approve' },
    because,
    trustOffer: { offered: false, reason: 'the call is denied' },
  });
}

function isMoreThanAQuestion(floor: FloorRecord): boolean {
  return floor.verdict !== 'allow' && floor.kind !== 'soft';
}

function floorsOf(facts: Facts, call: ToolCall): readonly FloorRecord[] {
  const floor = (
    kind: FloorRecord['kind'],
    verdict: FloorRecord['verdict'],
    id: string,
    reason: string,
  ): FloorRecord => ({
    kind,
    verdict,
    source: { kind: 'floor', id },
    reason,
    loweredBy: null,
  });
  const paths = facts.paths === 'unknown' ? [] : facts.paths;
  const floors: FloorRecord[] = call.hookDemands.map((demand) => ({
    ...floor('hard', demand.verdict, demand.owner, demand.reason),
    source: { kind: 'hook', id: demand.owner },
  }));
  if (facts.permission === 'deny')
    floors.push(floor('hard', 'deny', 'permission', `tool ${facts.tool} is switched off`));
  for (const path of paths) {
    const name = path.real ?? path.claimed ?? 'a path';
    if (path.real === null || path.device)
      floors.push(floor('hard', 'deny', 'path', `${name} cannot be resolved`));
    else if (path.access === 'write' && (path.agentOwn || path.linkLeavesProject)) {
      floors.push(floor('hard', 'deny', 'path', `${name} must not be written`));
    } else if (path.access === 'write' && (path.protected !== null || !path.inside)) {
      floors.push(
        floor('acknowledged', 'confirm', 'path', `${name}: ${path.protected ?? 'outside the project'}`),
      );
    } else if (path.access === 'read' && path.credential !== null) {
      floors.push(floor('acknowledged', 'confirm', 'credential', `${name}: ${path.credential}`));
    } else if (path.access === 'read' && !path.inside && !path.scratch) {
      floors.push(floor('outside-read', 'confirm', 'outside-read', `outside-project: ${name}`));
    }
  }
  if (facts.callRisk === 'destructive') {
    floors.push(
      floor('acknowledged', 'confirm', 'destructive', `destructive: ${facts.riskReasons.join(', ')}`),
    );
  }
  if (facts.command !== null && facts.command !== 'unknown' && facts.command.unparsed) {
    floors.push(floor('acknowledged', 'confirm', 'unparsed', 'the command cannot be read whole'));
  }
  if (facts.permission !== 'auto')
    floors.push(floor('soft', 'confirm', 'permission', `tool ${facts.tool} asks`));
  return floors;
}
