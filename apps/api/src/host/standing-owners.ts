import type { TaskExit, TaskJob, TaskWork } from '@wrongstack/contracts';
import type { ControlPorts } from '@wrongstack/contracts/control';

/** Who is known, and who was let go. */
export type Standing = Pick<ControlPorts, 'identities' | 'agents'>;

/** For as long as another process's publication may go unnoticed, too. */
const KNOWN_MS = 1_000;
const MOST_KNOWN = 1_000;

/**
 * Work that was queued for somebody who has been let go meanwhile ends before it begins, and says so: its permission was theirs. Those
 * that the control plane does not know, such as the token of the environment, are for the policies alone. Whoever stood a
 * second ago stands: many tasks of one person are one question.
 */
export function forStandingOwners(work: TaskWork, standing: Standing): TaskWork {
  const asked = new Map<string, { readonly at: number; readonly gone: Promise<string | null> }>();
  const whyGone = (job: TaskJob): Promise<string | null> => {
    const agent = agentOf(job);
    const key = JSON.stringify([job.owner.user, agent]);
    const known = asked.get(key);
    if (known !== undefined && performance.now() - known.at < KNOWN_MS) return known.gone;
    if (asked.size >= MOST_KNOWN) asked.clear();
    const gone = askWhyGone(job.owner.user, agent, standing);
    asked.set(key, { at: performance.now(), gone });
    gone.catch(() => asked.delete(key));
    return gone;
  };
  return async (job, sink, signal) => {
    const gone = await whyGone(job);
    return gone === null ? work(job, sink, signal) : refused(`${gone}; nothing ran`);
  };
}

function agentOf({ actor }: TaskJob): string | null {
  return actor.agent?.authenticated === true ? actor.agent.name : null;
}

async function askWhyGone(
  name: string,
  agentId: string | null,
  { identities, agents }: Standing,
): Promise<string | null> {
  const user = await identities.user(name);
  if (user !== null && user.disabledAt !== null) return `${user.id} was disabled at ${user.disabledAt}`;
  const agent = agentId === null ? null : await agents.get(agentId);
  if (agent === null || agent.revoked === null) return null;
  return `agent ${agent.id} was revoked at ${agent.revoked.at}`;
}

function refused(reason: string): TaskExit {
  return { state: 'failed', exitCode: null, reason, result: '', truncated: false };
}
