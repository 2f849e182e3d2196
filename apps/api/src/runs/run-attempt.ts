import {
  messageOf,
  type RunId,
  type SessionFacts,
  type SessionId,
  type SessionLog,
} from '@wrongstack/contracts';
import {
  type AgentResult,
  hasShared,
  listenToEvents,
  loggedSubagents,
  type PolicyBudget,
  policyBudget,
  type ReplayedSession,
  replaySession,
  type RunEvent,
} from '@wrongstack/kernel';
import type { MergedLocks } from '@wrongstack/policy';
import { configuredProvider } from '@wrongstack/providers';
import { restoreTodo } from '@wrongstack/tools';
import type { ApprovalWatch } from '../approvals/approval-watch.js';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { openRunKernel, type RunKernel } from '../host/run-kernel.js';
import type { SharedParts } from '../host/shared-parts.js';
import { actorOf, HEADLESS } from '../tools/governed-calls.js';
import { runConfig, type RunFolders, runFolders, scratchOf } from './attempt-parts.js';
import { RunApprovals } from './run-approvals.js';
import { RunAudit } from './run-audit.js';
import { attemptBudget, policyBudgetLeft, requirePrice, spentIn } from './run-limits.js';
import type { RunBook, RunSpec } from './run-record.js';
import { RunSpending, type Spent } from './run-spending.js';
import { RunTasks } from './run-tasks.js';
import { whileAway } from './while-away.js';

export interface AttemptParts {
  readonly shared: SharedParts;
  readonly control: ControlPlane;
  readonly approvals: ApprovalWatch;
}

/** One run from where it stands to where it stops next. */
export interface Attempt {
  readonly id: RunId;
  readonly spec: RunSpec;
  readonly book: RunBook;
  /** Its requester, as they are now. */
  readonly by: Principal;
  /** Real path. */
  readonly workspace: string;
  readonly signal: AbortSignal;
  /** The process ends: somebody else goes on with it. */
  readonly isHandedBack: () => boolean;
  readonly onSession: (id: SessionId) => void;
  readonly onEvent: (event: RunEvent) => void;
}

/** The agent of the command line, headless, as its requester. Rejects where it cannot begin; what a model or a tool does is in the result. */
export async function runAttempt(parts: AttemptParts, attempt: Attempt): Promise<AgentResult> {
  const { agentHome } = parts.shared;
  const folders = await runFolders(agentHome, attempt.by);
  const config = await runConfig(agentHome, attempt.workspace, attempt.spec);
  requirePrice(config, attempt.spec.limits);
  const log = await sessionOf(folders, attempt, config.provider.model);
  try {
    attempt.onSession(log.id);
    const replayed = attempt.book.session === null ? null : await replaySession(log);
    return await runIn(parts, attempt, { folders, config, log, replayed });
  } finally {
    await log.flush();
    await log.close();
  }
}

/** What its session holds is where it goes on. Throws `session.not_found` where another machine has it. */
function sessionOf(
  { sessions }: RunFolders,
  { book, workspace }: Attempt,
  model: string,
): Promise<SessionLog> {
  if (book.session !== null) return sessions.open(book.session);
  return sessions.create({ projectRoot: workspace, cwd: workspace, model });
}

interface Opened {
  readonly folders: RunFolders;
  readonly config: Awaited<ReturnType<typeof runConfig>>;
  readonly log: SessionLog;
  readonly replayed: ReplayedSession | null;
}

async function runIn(parts: AttemptParts, attempt: Attempt, opened: Opened): Promise<AgentResult> {
  const { log } = opened;
  const tasks = new RunTasks(parts.shared.tasks, log.id);
  const session = new RunSession(opened.replayed?.mode === 'plan');
  let kernel: RunKernel | null = null;
  try {
    kernel = await whileAway(() => kernelOf(parts, attempt, opened, tasks, session), attempt.signal);
    return await runAgent(parts, attempt, opened, kernel, session);
  } finally {
    await tasks.close();
    // Nobody is left behind; where another process goes on with the run, so do its tasks.
    if (!attempt.isHandedBack()) await endTasks(parts, tasks, log);
    await kernel?.close();
  }
}

function kernelOf(
  { shared, control, approvals }: AttemptParts,
  { by, workspace, signal }: Attempt,
  { folders, config }: Opened,
  tasks: RunTasks,
  session: RunSession,
): Promise<RunKernel> {
  return openRunKernel({
    ...{ shared, config, tasks, workspace, dataDir: folders.data, tighten: session.tighten },
    actor: actorOf(by),
    approvals: new RunApprovals(control, approvals, shared.scrubber, by),
    audit: new RunAudit(control, by, signal),
  });
}

async function runAgent(
  { shared, control }: AttemptParts,
  { id, spec, book, by, workspace, signal, onEvent }: Attempt,
  { folders, config, log, replayed }: Opened,
  { kernel }: RunKernel,
  session: RunSession,
): Promise<AgentResult> {
  const { policy, credentials } = shared;
  const actor = actorOf(by);
  const scratchDir = await scratchOf(shared.agentHome, log);
  const locks = () => whileAway(() => policy.locks(workspace, actor), signal);
  const spending = new RunSpending(control, id, book.attempt, by);
  const agent = kernel.createAgent({
    ...{ session: log, cwd: workspace, projectRoot: workspace, scratchDir, dataDir: folders.data, actor },
    provider: () => configuredProvider({ providers: kernel.providers, credentials }, config),
    sessionFacts: session.facts,
    budget: attemptBudget(spec.limits, config.agent, book.used),
    policyBudget: async (spent) =>
      policyBudgetLeft(await allowance(await locks(), spending, spent, signal), book.used),
    subagents: loggedSubagents({
      sessions: folders.subagentSessions,
      scratchDir,
      maxDepth: async () => (await locks()).subagentMaxDepth,
    }),
    taskOwner: { tenant: by.org, user: by.user, session: log.id },
    ...(replayed === null ? {} : { conversation: replayed.conversation }),
  });
  if (replayed !== null) await restoreTodo(agent.meta, log.entries());
  const stopListening = listenToEvents(kernel.events, onEvent);
  try {
    // It may have been handed back before its first word was written down.
    const goesOn = replayed !== null && replayed.conversation.messages.length > 0;
    const result = await (goesOn ? agent.resume({ signal }) : agent.run(spec.prompt, { signal }));
    await whileAway(() => spending.report(spentIn(result)), signal);
    return result;
  } finally {
    stopListening();
  }
}

async function endTasks({ shared }: AttemptParts, tasks: RunTasks, { id }: SessionLog): Promise<void> {
  await tasks.endAll().catch((error: unknown) => {
    shared.log.warn('tasks of a run were not ended', { session: id, message: messageOf(error) });
  });
}

/** What policies allow it now, with what its requester and their team have used up, this run included. */
async function allowance(
  { budget }: MergedLocks,
  spending: RunSpending,
  spent: Spent,
  signal: AbortSignal,
): Promise<PolicyBudget> {
  await whileAway(() => spending.report(spent), signal);
  if (!hasShared(budget)) return policyBudget(budget, null, null);
  const { user, team } = await whileAway(() => spending.usedSoFar(), signal);
  return policyBudget(budget, user, team);
}

/** Plan mode is entered by the model, or was before, and is left by nobody: there is no person who could. */
class RunSession {
  constructor(private plans: boolean) {}

  readonly tighten = (): void => {
    this.plans = true;
  };

  readonly facts = (): SessionFacts => ({
    ...HEADLESS,
    mode: this.plans ? 'plan' : 'default',
    remoteApprovals: true,
  });
}
