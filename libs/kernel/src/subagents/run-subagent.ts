import { isoNow, messageOf, WrongStackError } from '@wrongstack/contracts';
import type {
  ActorFacts,
  CallId,
  EventOrigin,
  SessionEntry,
  SessionLog,
  SubagentBudget,
  SubagentReport,
  SubagentTask,
} from '@wrongstack/contracts';
import { ownerOfSession } from '../execution/queue-task.js';
import type { AgentOptions, AgentPorts, AgentResult } from '../loop/agent-options.js';
import type { Budgets, RunBudget } from '../loop/budgets.js';
import type { RunTally } from '../loop/run-tally.js';
import { MirroredLog } from './mirrored-log.js';
import type { SubagentHost } from './subagent-host.js';
import { offersTo, subagentActor } from './subagent-actor.js';
import type { SubagentNames } from './subagent-names.js';
import { subagentRole } from './subagent-prompt.js';

/** The run that starts a subagent, as far as it matters to it. */
export interface SubagentParent {
  readonly ports: AgentPorts;
  readonly options: AgentOptions;
  readonly host: SubagentHost;
  readonly origin: EventOrigin;
  readonly names: SubagentNames;
  readonly budgets: Budgets;
  readonly tally: RunTally;
  readonly append: (entry: SessionEntry) => Promise<void>;
  /** Ids of calls that this conversation, or one above it, holds already. */
  readonly takenCallIds: () => ReadonlySet<string>;
}

/**
 * Let a subagent work on one task: an agent with a conversation, a log, a budget and a prompt of its own, and with the limits
 * of its parent in everything else. It asks through the parent's channel, its events carry its name, and it ends when the
 * parent's call is aborted. What it used up and what was denied to it count for the parent's run as well.
 */
export async function runSubagent(
  parent: SubagentParent,
  call: CallId,
  task: SubagentTask,
  signal: AbortSignal,
): Promise<SubagentReport> {
  const { ports, options, host, origin } = parent;
  const budget = ownBudget(task.budget, parent.budgets);
  const name = parent.names.take(task.name);
  const actor = subagentActor(options.actor, name, task.capabilities);
  await checkDepth(host, actor);
  signal.throwIfAborted();
  const { log, scratchDir } = await host.open({
    parent: { session: origin.session, call, name },
    cwd: options.cwd,
    projectRoot: options.projectRoot,
    model: ports.config().provider.model,
  });
  const note = (state: 'started' | 'ended', status?: string): Promise<void> =>
    parent.append({
      type: 'subagent',
      ts: isoNow(ports.clock),
      call,
      name,
      session: log.id,
      state,
      ...(status === undefined ? {} : { status }),
    });
  try {
    await note('started');
    const agent = ports.createAgent(childOptions(parent, { log, scratchDir, actor, name, task, budget }));
    const timeUp = AbortSignal.timeout(task.budget.seconds * 1000);
    const result = await agent.run(task.task, { signal: AbortSignal.any([signal, timeUp]) });
    parent.budgets.addSpent({ ...result, calls: result.calls.total });
    parent.tally.addAll(result);
    const stoppedByTime = result.status === 'interrupted' && timeUp.aborted && !signal.aborted;
    const status = stoppedByTime ? 'timeout' : result.status;
    ports.metrics.counter('wrongstack_subagents_total', 1, { status });
    await note('ended', status);
    return reportOf(name, log, status, result);
  } finally {
    await close(log, ports);
  }
}

function childOptions(
  { ports, options, origin, append, takenCallIds }: SubagentParent,
  own: {
    readonly log: SessionLog;
    readonly scratchDir: string;
    readonly actor: ActorFacts;
    readonly name: string;
    readonly task: SubagentTask;
    readonly budget: RunBudget;
  },
): AgentOptions {
  const { actor, task } = own;
  const offers = offersTo(actor, task.capabilities);
  const allowTool: typeof offers = (tool) => options.allowTool?.(tool) !== false && offers(tool);
  const tools = { list: () => ports.tools.list().filter(allowTool) };
  return {
    session: new MirroredLog(own.log, append),
    snapshotDir: options.snapshotDir ?? options.scratchDir,
    provider: options.provider,
    cwd: options.cwd,
    projectRoot: options.projectRoot,
    scratchDir: own.scratchDir,
    dataDir: options.dataDir,
    actor,
    // Asked anew for each call, so that a switch to plan mode counts for subagents too.
    sessionFacts: options.sessionFacts,
    // A path, since a subagent's subagent may have a name that another one has.
    name: origin.agent === 'main' ? own.name : `${origin.agent}/${own.name}`,
    ...(options.approvals === undefined ? {} : { approvals: options.approvals }),
    systemPrompt: ports.subagentPrompt(subagentRole(actor), tools),
    allowTool,
    budget: own.budget,
    takenCallIds,
    taskOwner: options.taskOwner ?? ownerOfSession(options.actor, origin.session),
    ...(options.subagents === undefined ? {} : { subagents: options.subagents }),
  };
}

/** Refused before anything is opened; the policy would deny each single call of one that is too deep. */
async function checkDepth(host: SubagentHost, actor: ActorFacts): Promise<void> {
  const allowed = await host.maxDepth();
  if (actor.subagentDepth <= allowed) return;
  const levels = allowed === 1 ? 'one level' : `${allowed} levels`;
  throw new WrongStackError(
    'subagent.too_deep',
    `subagent ${actor.subagent ?? ''} would be level ${actor.subagentDepth}, and the policy allows ${levels} (locks.subagentMaxDepth); do the work without it`,
  );
}

/** Its own, and never more than what its parent has left. */
function ownBudget(asked: SubagentBudget, left: Budgets): RunBudget {
  for (const [key, value] of Object.entries(asked)) {
    if (!Number.isInteger(value) || value < 1) {
      throw new WrongStackError('subagent.budget', `budget ${key} must be a whole number above 0`, {
        path: `/budget/${key}`,
      });
    }
  }
  return {
    maxIterations: asked.iterations,
    maxToolCalls: Math.min(asked.toolCalls, left.callsLeft),
    maxTokens: Math.min(asked.tokens, left.tokensLeft),
    maxCostUsd: left.costLeft,
  };
}

function reportOf(
  name: string,
  log: SessionLog,
  status: SubagentReport['status'],
  result: AgentResult,
): SubagentReport {
  const { total, ok, failed, denied } = result.calls;
  return {
    name,
    session: log.id,
    status,
    text: result.text,
    error: result.error?.message ?? null,
    turns: result.turns,
    durationMs: result.durationMs,
    usage: result.usage,
    costUsd: result.costUsd,
    calls: { total, ok, failed, denied },
    denials: result.denials.map(({ call, tool, capabilities, because, instead }) => ({
      call,
      tool,
      capabilities,
      because,
      instead,
    })),
    files: result.files,
  };
}

/** Its work is done and reported; a log that does not close is the host's concern. */
async function close(log: SessionLog, ports: Pick<AgentPorts, 'log'>): Promise<void> {
  try {
    await log.flush();
    await log.close();
  } catch (error) {
    ports.log.warn('the log of a subagent did not close', { session: log.id, message: messageOf(error) });
  }
}
