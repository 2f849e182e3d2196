import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SessionId, SessionLog, SessionSummary } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import { ensureAgentHome } from '@wrongstack/adapters';
import { type Agent, loggedSubagents, type ReplayedSession, replaySession } from '@wrongstack/kernel';
import { currentBranch } from './current-branch.js';
import { restoreTodo } from '@wrongstack/tools';
import { allowance } from '../budgets/allowance.js';
import { localActor } from './actor.js';
import type { Host } from './host.js';
import { type AskedHere, otherProjectError } from './other-project.js';

export interface OpenSession {
  readonly log: SessionLog;
  readonly agent: Agent;
  readonly scratchDir: string;
  /** Null for a new session. */
  readonly replayed: ReplayedSession | null;
}

/** A new session. Its log holds the start before anything else happens. */
export async function newSession(host: Host): Promise<OpenSession> {
  const { cwd, projectRoot, paths } = host.request;
  ensureAgentHome(paths.agentHome, 'write');
  const branch = await currentBranch(projectRoot);
  const log = await host.sessions.create({
    projectRoot,
    cwd,
    model: host.config.current.provider.model,
    ...(branch !== undefined && { branch }),
  });
  return withAgent(host, log, null);
}

/**
 * Go on with a session; `true` means the latest of this project. What its process left open is settled when the agent
 * resumes. Throws what the store throws, `session.none`, and `session.other_project` unless `askedHere` says otherwise.
 */
export async function resumedSession(
  host: Host,
  which: string | true,
  askedHere?: AskedHere,
): Promise<OpenSession> {
  const id = which === true ? await latestSession(host) : which;
  const log = await host.sessions.open(id);
  try {
    const replayed = await replaySession(log);
    await requireProject(host, log.id, replayed, askedHere);
    if (replayed.mode === 'plan') host.control.mode = 'plan';
    return await withAgent(host, log, replayed);
  } catch (error) {
    await log.close();
    throw error;
  }
}

async function requireProject(
  { request }: Host,
  session: SessionId,
  { start }: ReplayedSession,
  askedHere: AskedHere | undefined,
): Promise<void> {
  const here = request.projectRoot;
  if (start === null || start.projectRoot === here) return;
  const other = { session, theirs: start.projectRoot, here };
  if ((await askedHere?.(other)) !== true) throw otherProjectError(other);
}

/** A session that was opened and left without a word is nothing to go on with. */
export function hasWork({ preview, calls }: SessionSummary): boolean {
  return preview !== '' || calls > 0;
}

async function latestSession(host: Host): Promise<string> {
  const sessions = await host.sessions.list({ projectRoot: host.request.projectRoot });
  const latest = sessions.filter(hasWork).sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0];
  if (latest === undefined) {
    throw new WrongStackError('session.none', `no session of ${host.request.projectRoot} to resume`, {
      hint: 'wstack session list --all',
    });
  }
  return latest.id;
}

async function withAgent(
  host: Host,
  log: SessionLog,
  replayed: ReplayedSession | null,
): Promise<OpenSession> {
  const { cwd, projectRoot, paths } = host.request;
  const scratchDir = path.join(paths.scratch, log.id);
  // Beside the work: nothing waits for the server.
  host.centre?.follow();
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const agent = host.kernel.createAgent({
    session: log,
    provider: () => host.provider(),
    cwd,
    projectRoot,
    scratchDir,
    dataDir: paths.agentHome,
    actor: localActor(host),
    sessionFacts: host.control.facts,
    policyBudget: (spent, run) => allowance(host, spent, run),
    subagents: loggedSubagents({
      sessions: host.subagentSessions,
      scratchDir,
      maxDepth: async () => (await host.policy.locks(projectRoot)).subagentMaxDepth,
    }),
    ready: (signal) => host.extensions.ready(mcpWaitMs(host), signal),
    ...(replayed !== null && { conversation: replayed.conversation }),
  });
  if (replayed !== null) await restoreTodo(agent.meta, log.entries());
  await host.extensions.useSession(log);
  return { log, agent, scratchDir, replayed };
}

/** A script waits longer than a person, who can see what is missing and ask again. */
export function mcpWaitMs({ config, request }: Pick<Host, 'config' | 'request'>): number {
  return config.current.agent.mcpWaitMs ?? (request.session.interactive ? 3_000 : 10_000);
}
