import type { TaskExit, TaskJob, TaskWork } from '@wrongstack/contracts';
import type { ControlPorts } from '@wrongstack/contracts/control';

/** Who is known, and who was let go. */
export type Standing = Pick<ControlPorts, 'identities' | 'agents'>;

/**
 * Work that was queued for somebody who has been let go meanwhile ends before it begins, and says so: its permission was theirs. Those
 * that the control plane does not know, such as the token of the environment, are for the policies alone.
 */
export function forStandingOwners(work: TaskWork, standing: Standing): TaskWork {
  return async (job, sink, signal) => {
    const gone = await whyGone(job, standing);
    return gone === null ? work(job, sink, signal) : refused(`${gone}; nothing ran`);
  };
}

async function whyGone({ owner, actor }: TaskJob, { identities, agents }: Standing): Promise<string | null> {
  const user = await identities.user(owner.user);
  if (user !== null && user.disabledAt !== null) return `${user.id} was disabled at ${user.disabledAt}`;
  const agent = actor.agent?.authenticated === true ? await agents.get(actor.agent.name) : null;
  if (agent === null || agent.revoked === null) return null;
  return `agent ${agent.id} was revoked at ${agent.revoked.at}`;
}

function refused(reason: string): TaskExit {
  return { state: 'failed', exitCode: null, reason, result: '', truncated: false };
}
