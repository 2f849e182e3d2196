import {
  type Approval,
  type Decision,
  type DecisionId,
  digestOf,
  type Facts,
  newId,
  PermissionPolicy,
  type ToolCall,
} from '@wrongstack/contracts';

export type Verdicts = (call: ToolCall) => Partial<Decision>;

/** A policy that answers what the test says, and counts how it was asked. */
export class FixedPolicy extends PermissionPolicy {
  readonly decided: ToolCall[] = [];
  readonly rechecked: { readonly call: ToolCall; readonly approval: Approval | null }[] = [];
  readonly remembered: ('allow' | 'deny')[] = [];
  again: Verdicts | null = null;
  rememberFailure: Error | null = null;

  constructor(public verdicts: Verdicts = () => ({ verdict: 'allow' })) {
    super();
  }

  override async decide(call: ToolCall): Promise<Decision> {
    this.decided.push(call);
    return decisionFor(call, this.verdicts(call));
  }

  override async recheck(call: ToolCall, decision: Decision, approval: Approval | null): Promise<Decision> {
    this.rechecked.push({ call, approval });
    return this.again === null ? { ...decision, verdict: 'allow' } : decisionFor(call, this.again(call));
  }

  override async remember(_call: ToolCall, _decision: Decision, effect: 'allow' | 'deny'): Promise<void> {
    if (this.rememberFailure !== null) throw this.rememberFailure;
    this.remembered.push(effect);
  }
}

export function decisionFor(call: ToolCall, part: Partial<Decision>): Decision {
  const verdict = part.verdict ?? 'allow';
  return {
    id: newId('DecisionId') satisfies DecisionId,
    verdict,
    demanded: verdict,
    by: { kind: 'tool', id: call.tool.name },
    because: `tool ${call.tool.name}`,
    instead: null,
    floors: [],
    matches: [],
    obligations: [],
    approvers: null,
    trustOffer: { offered: false, reason: 'a test' },
    facts: factsFor(call),
    factsDigest: 'sha256:facts',
    approvalDigest: digestOf({ tool: call.tool.name, input: call.input }),
    policy: { id: null, revision: null, state: 'none' },
    micros: 10,
    ...part,
  };
}

export function factsFor(call: ToolCall, part: Partial<Facts> = {}): Facts {
  return {
    tool: call.tool.name,
    owner: call.tool.owner,
    definitionDigest: call.tool.definitionDigest,
    claimsTrusted: call.tool.owner === 'core',
    permission: call.tool.permission,
    mutating: call.tool.mutating,
    declared: [],
    effective: [{ name: 'fs.read', declared: true, carriedBy: 'all' }],
    riskTier: 'safe',
    callRisk: 'safe',
    riskReasons: [],
    paths: [],
    command: null,
    hosts: [],
    mcp: null,
    actor: call.actor,
    session: call.session,
    project: call.projectRoot,
    cwd: call.cwd,
    background: call.background,
    now: '2026-01-01T00:00:00.000Z',
    ...part,
  };
}
