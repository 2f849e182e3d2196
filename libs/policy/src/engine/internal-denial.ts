import {
  codeOf,
  deepFreeze,
  digestOf,
  isoNow,
  messageOf,
  NOBODY,
  type ActorFacts,
  type Clock,
  type Decision,
  type DecisionId,
  type Facts,
  type ToolCall,
} from '@wrongstack/contracts';

/**
 * The answer when deciding itself went wrong: a denial that names the fault. Nothing in here may throw, so it looks at as
 * little of the call as it can.
 */
export function internalDenial(call: ToolCall, error: unknown, id: DecisionId, clock: Clock): Decision {
  const reason = `the call could not be decided (${codeOf(error)}): ${messageOf(error)}`;
  const source = { kind: 'floor', id: 'policy.internal' } as const;
  const facts = unknownFacts(call, clock);
  return deepFreeze<Decision>({
    id,
    verdict: 'deny',
    demanded: 'deny',
    by: source,
    because: reason,
    instead: null,
    floors: [{ kind: 'hard', verdict: 'deny', source, reason, loweredBy: null }],
    matches: [],
    obligations: [],
    approvers: null,
    trustOffer: { offered: false, reason: 'the call is denied' },
    facts,
    factsDigest: digestOf(facts),
    // Bound to nothing: no approval can ever match it.
    approvalDigest: digestOf(['undecided', id]),
    policy: { id: null, revision: null, state: 'none' },
    micros: 0,
  });
}

/** Everything unknown: what replays and audits see of such a call. */
function unknownFacts(call: ToolCall, clock: Clock): Facts {
  return {
    tool: call.tool.name,
    owner: call.tool.owner,
    definitionDigest: call.tool.definitionDigest,
    claimsTrusted: false,
    permission: 'unknown',
    mutating: true,
    declared: [],
    effective: [{ name: 'unknown', declared: false, carriedBy: 'all' }],
    riskTier: 'unknown',
    callRisk: 'destructive',
    riskReasons: ['the call could not be decided'],
    paths: 'unknown',
    command: 'unknown',
    hosts: 'unknown',
    mcp: null,
    actor: attempt(() => structuredClone(call.actor), POWERLESS),
    session: { ...call.session },
    project: call.projectRoot,
    cwd: null,
    background: call.background,
    now: attempt(() => isoNow(clock), new Date(0).toISOString()),
  };
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** An actor that may do nothing. */
const POWERLESS: ActorFacts = { ...NOBODY, ceiling: [] };
