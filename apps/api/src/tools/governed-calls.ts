import {
  NOBODY,
  type ActorFacts,
  deepFreeze,
  type ApprovalChannel,
  newId,
  type TaskOptions,
  type TaskOwner,
  type ToolUseBlock,
} from '@wrongstack/contracts';
import type { CallOutcome } from '@wrongstack/kernel';
import type { Principal } from '../auth/principal.js';
import type { ApiHost } from '../host/api-host.js';
import { openCallContext } from './call-context.js';

export const HEADLESS = {
  mode: 'default',
  interactive: false,
  yolo: false,
  sandboxed: false,
  remoteApprovals: false,
} as const;

/** The agent of callers that are none. */
export const NO_AGENT = 'wrongstack-api';

/** Nobody sits here, and other people can be asked. */
export const ASKS_OTHERS = { ...HEADLESS, remoteApprovals: true } as const;

/** One call as any other: the same journey, under the policies in force for the caller; `approvals` asks those who are not here. */
export async function runGovernedCall(
  host: ApiHost,
  caller: Principal,
  approvals: ApprovalChannel,
  name: string,
  input: unknown,
  task: TaskOptions,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const log = { append: async (): Promise<void> => undefined };
  const { context } = await openCallContext(host, log);
  const { sessionId: session, runId: run } = context;
  const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name, input };
  const scope = {
    origin: { session, run, agent: 'main' },
    context,
    actor: actorOf(caller),
    session: () => ASKS_OTHERS,
    approvals,
    log,
    taskOwner: taskOwnerOf(caller, session),
  };
  try {
    return await host.kernel.executor.execute(use, scope, signal, { task });
  } finally {
    await context.end();
  }
}

/** Whose the tasks are that a call starts. */
export function taskOwnerOf({ org, user }: Principal, session: TaskOwner['session']): TaskOwner {
  return { tenant: org, user, session };
}

const actors = new WeakMap<Principal, ActorFacts>();

/** Who acts, for the decision: the same frozen facts for as long as it is the same principal. */
export function actorOf(principal: Principal): ActorFacts {
  const known = actors.get(principal);
  if (known !== undefined) return known;
  const actor = deepFreeze(actorFacts(principal));
  actors.set(principal, actor);
  return actor;
}

/** Somebody in several teams acts for the first: a call belongs to one. */
function actorFacts({ org, user, teams, roles, kind, id }: Principal): ActorFacts {
  const known = (name: string) => ({ name, authenticated: true });
  const [team] = teams;
  return {
    ...NOBODY,
    org: known(org),
    team: team === undefined ? null : known(team),
    user: known(user),
    roles: roles.map(known),
    agent: known(kind === 'agent' ? id : NO_AGENT),
  };
}
