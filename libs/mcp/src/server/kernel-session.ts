import {
  type ActorFacts,
  type ApprovalChannel,
  type ApprovalRequest,
  type CallId,
  type EventMap,
  type MetricsSink,
  newId,
  type RunId,
  type SessionFacts,
  type SessionId,
  type TaskOwner,
  type ToolUseBlock,
} from '@wrongstack/contracts';
import {
  type CallOutcome,
  type CallScope,
  CountedApprovals,
  type Kernel,
  type RunContext,
} from '@wrongstack/kernel';
import type { GovernedCall, GovernedSession } from './governed-session.js';

export interface KernelSessionParts {
  readonly kernel: Pick<Kernel, 'tools' | 'events' | 'executor'>;
  readonly session: SessionId;
  readonly run: RunId;
  /** What its calls have read, and where they may put things; it ends with the connection. */
  readonly context: RunContext;
  /** Flushed after each call. */
  readonly log: CallScope['log'] & { flush?(): Promise<void> };
  readonly metrics: MetricsSink;
  /** `declared`: what the client calls itself, which nobody vouches for. */
  readonly actor: (declared: string | null) => ActorFacts;
  readonly facts: () => SessionFacts;
  /** See `GovernedSession.others`. */
  readonly others: GovernedSession['others'];
  readonly describe: GovernedSession['describe'];
  /** Every entry of the log so far, one JSON object a line. */
  readonly readLog: () => Promise<string>;
  readonly policies: GovernedSession['policies'];
  readonly taskOwner?: TaskOwner;
  /** After the last call: what the connection held besides. */
  readonly close: () => Promise<void>;
}

/** One client's calls, each of them the whole journey of any call of this kernel. */
export class KernelSession implements GovernedSession {
  #closed: Promise<void> | null = null;

  constructor(private readonly parts: KernelSessionParts) {}

  get id(): string {
    return this.parts.session;
  }

  tools() {
    return this.parts.kernel.tools.list();
  }

  async call(call: GovernedCall): Promise<CallOutcome> {
    const { kernel, session, run, context, log, metrics, actor, facts, taskOwner } = this.parts;
    const { name, input, interactive, approvals, signal } = call;
    const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name, input };
    const stop = this.#follow(use.id, call);
    try {
      const outcome = await kernel.executor.execute(
        use,
        {
          origin: { session, run, agent: 'main' },
          context,
          actor: actor(call.agent),
          session: () => ({ ...facts(), interactive }),
          log,
          ...(approvals === null ? {} : { approvals: new CountedApprovals(approvals, metrics) }),
          ...(taskOwner === undefined ? {} : { taskOwner }),
        },
        signal,
      );
      await log.flush?.();
      return outcome;
    } finally {
      stop();
    }
  }

  others(waits: boolean): ApprovalChannel | null {
    return this.parts.others(waits);
  }

  describe(request: ApprovalRequest): string {
    return this.parts.describe(request);
  }

  log(): Promise<string> {
    return this.parts.readLog();
  }

  policies() {
    return this.parts.policies();
  }

  close(): Promise<void> {
    this.#closed ??= this.parts.context.end().then(() => this.parts.close());
    return this.#closed;
  }

  #follow(id: CallId, { onProgress, onWaiting }: GovernedCall): () => void {
    const { events } = this.parts.kernel;
    const stops = [
      events.on('tool.progress', ({ call, event }) => {
        if (call === id) onProgress(event);
      }),
      events.on('approval.waiting', (event) => {
        if (event.call === id) onWaiting(waitingText(event));
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }
}

function waitingText({ approval, have, need, expiresAt }: EventMap['approval.waiting']): string {
  const until = expiresAt === null ? '' : `, until ${expiresAt}`;
  return `waits for approval ${approval}: ${have} of ${need} yes${until}`;
}
