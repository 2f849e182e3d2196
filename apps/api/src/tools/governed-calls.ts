import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  newId,
  silentLogger,
  type ActorFacts,
  type TaskOptions,
  type ToolUseBlock,
} from '@wrongstack/contracts';
import { type CallOutcome, processPathLocks, ReadRecords, RunContext } from '@wrongstack/kernel';
import type { Principal } from '../auth/principal.js';
import type { ApiHost } from '../host/api-host.js';

export const HEADLESS = {
  mode: 'default',
  interactive: false,
  yolo: false,
  sandboxed: false,
  remoteApprovals: false,
} as const;

/** One call as any other: the same journey, under the policies in force for the caller, with nobody to ask. */
export async function runGovernedCall(
  host: ApiHost,
  caller: Principal,
  name: string,
  input: unknown,
  task: TaskOptions,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const { kernel, projectRoot, agentHome, scrubber } = host;
  const session = newId('SessionId');
  const run = newId('RunId');
  const scratchDir = path.join(agentHome, 'scratch', session);
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const log = { append: async (): Promise<void> => undefined };
  const context = new RunContext({
    cwd: projectRoot,
    projectRoot,
    scratchDir,
    dataDir: agentHome,
    sessionId: session,
    runId: run,
    meta: {},
    log: silentLogger,
    entries: log,
    scrubber,
    reads: new ReadRecords(),
    locks: processPathLocks,
  });
  const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name, input };
  const scope = {
    origin: { session, run, agent: 'main' },
    context,
    actor: actorOf(caller),
    session: () => HEADLESS,
    log,
    taskOwner: { tenant: caller.org, user: caller.user, session },
  };
  try {
    return await kernel.executor.execute(use, scope, signal, { task });
  } finally {
    await context.end();
  }
}

/** Who acts, for the decision. Somebody in several teams acts for the first: a call belongs to one. */
export function actorOf({ org, user, teams, roles, kind, id }: Principal): ActorFacts {
  const known = (name: string) => ({ name, authenticated: true });
  const [team] = teams;
  return {
    org: known(org),
    team: team === undefined ? null : known(team),
    user: known(user),
    roles: roles.map(known),
    agent: known(kind === 'agent' ? id : 'wrongstack-api'),
    plugin: null,
    subagentDepth: 0,
    subagent: null,
    ceiling: null,
    parent: null,
  };
}
