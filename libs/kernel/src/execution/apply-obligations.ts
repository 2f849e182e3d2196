import type { Decision, Obligation, SandboxProfile, SpawnWrapper, ToolCall } from '@wrongstack/contracts';
import { messageOf } from '@wrongstack/contracts';
import type { CallScope, ExecutionPorts, Stop } from './call-scope.js';

type Ports = Pick<ExecutionPorts, 'sandbox' | 'rateLimiter' | 'clock'>;

/** What a decision obliges us to while the call runs. */
export interface MetObligations {
  readonly redact: readonly string[];
  readonly spawnWrapper: SpawnWrapper | undefined;
}

/** Meet every obligation of the decision; one that cannot be met denies the call. */
export async function applyObligations(
  ports: Ports,
  call: ToolCall,
  decision: Decision,
  scope: CallScope,
): Promise<MetObligations | Stop> {
  const redact: string[] = [];
  const profiles: SandboxProfile[] = [];
  const limits: Extract<Obligation, { rateLimit: unknown }>[] = [];
  for (const obligation of decision.obligations) {
    if ('redact' in obligation) redact.push(...obligation.redact);
    else if ('sandbox' in obligation) profiles.push(obligation.sandbox);
    else if ('rateLimit' in obligation) limits.push(obligation);
    else return unmet('the policy demands something that this version does not know');
  }
  const wrapper = await confine(ports, call, decision, profiles);
  if (typeof wrapper === 'string') return unmet(wrapper);
  // Counted last, so that a call which another obligation stops uses nothing up.
  for (const limit of limits) {
    const refusal = await takeOne(ports, call, scope, limit);
    if (refusal !== null) return unmet(refusal);
  }
  return { redact, spawnWrapper: wrapper ?? undefined };
}

async function confine(
  ports: Ports,
  call: ToolCall,
  decision: Decision,
  profiles: readonly SandboxProfile[],
): Promise<SpawnWrapper | null | string> {
  if (profiles.length === 0) return null;
  const { facts } = decision;
  const names = profiles.join(', ');
  // A plugin's code runs in our process and may start children as it likes: no wrapper binds it.
  if (!facts.claimsTrusted)
    return `sandbox ${names} cannot bind tool ${call.tool.name} of ${call.tool.owner}`;
  const own = profiles
    .map((profile) => inProcessProblem(profile, decision))
    .find((problem) => problem !== null);
  if (own !== undefined) return `sandbox ${own}`;
  if (facts.command === null) return null;
  if (ports.sandbox === null) return `sandbox ${names} is demanded and none is installed`;
  try {
    const unavailable = await ports.sandbox.unavailable();
    if (unavailable !== null) return `sandbox ${names} is not available: ${unavailable}`;
    return ports.sandbox.wrapper(profiles, call.projectRoot);
  } catch (error) {
    return `sandbox ${names} failed: ${messageOf(error)}`;
  }
}

/** Whether the tool's own work (not its children's) keeps within the profile, judged by the facts. */
function inProcessProblem(profile: SandboxProfile, decision: Decision): string | null {
  const { facts } = decision;
  const paths = facts.paths === 'unknown' ? null : facts.paths.filter(({ command }) => command === null);
  const hosts = facts.hosts === 'unknown' ? null : facts.hosts.filter(({ command }) => command === null);
  switch (profile) {
    case 'read-only':
      if (paths === null) return 'read-only: what the tool writes is unknown';
      return paths.some(({ access }) => access === 'write') ? 'read-only: the call writes files' : null;
    case 'workspace-write':
      if (paths === null) return 'workspace-write: what the tool writes is unknown';
      return paths.some(({ access, inside }) => access === 'write' && !inside)
        ? 'workspace-write: the call writes outside the project'
        : null;
    case 'no-network':
      if (hosts === null) return 'no-network: what the tool connects to is unknown';
      return hosts.length > 0 ? 'no-network: the call connects to a host' : null;
    default:
      return `profile ${JSON.stringify(profile)} is unknown`;
  }
}

async function takeOne(
  ports: Ports,
  call: ToolCall,
  scope: CallScope,
  limit: Extract<Obligation, { rateLimit: unknown }>,
): Promise<string | null> {
  const { max, perSeconds, key } = limit.rateLimit;
  if (ports.rateLimiter === null) return `rate limit of rule ${limit.rule} cannot be counted here`;
  const holder =
    key === 'session'
      ? scope.origin.session
      : ((key === 'team' ? call.actor.team?.name : call.actor.user?.name) ?? 'anonymous');
  try {
    const counterKey = JSON.stringify([limit.rule, key, holder]);
    const taken = await ports.rateLimiter.take(counterKey, max, perSeconds, ports.clock.now());
    if (taken.ok) return null;
    const wait = Math.max(1, Math.ceil(taken.retryAfterMs / 1000));
    return `rate limit of rule ${limit.rule}: ${max} per ${perSeconds} s are used up, next in ${wait} s`;
  } catch (error) {
    return `rate limit of rule ${limit.rule} cannot be counted: ${messageOf(error)}`;
  }
}

function unmet(why: string): Stop {
  return { stop: 'denied', message: `Denied, an obligation cannot be met: ${why}. Nothing ran.` };
}
