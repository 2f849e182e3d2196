import { WrongStackError } from '@wrongstack/contracts';
import type { AgentResult } from '@wrongstack/kernel';
import { policyStatusOf } from '../app/policy-status.js';
import type { Host } from '../app/host.js';
import type { AskedHere } from '../app/other-project.js';
import { newSession, type OpenSession, resumedSession } from '../app/open-session.js';
import { RunCollector } from '../terminal/headless/run-collector.js';
import { listenToEvents } from '../terminal/event-source.js';
import type { RunResult } from '../terminal/run-result.js';
import type { PolicyStatus, SessionStatus } from '../terminal/status-lines.js';

/** What one interactive session holds besides the screen: the open log, its agent, and what the runs amounted to. */
export class InteractiveSession {
  #open: OpenSession;
  #costUsd: number | null = null;
  #contextTokens = 0;
  #policy: PolicyStatus;
  #worked = false;

  private constructor(
    readonly host: Host,
    open: OpenSession,
    policy: PolicyStatus,
  ) {
    this.#open = open;
    this.#policy = policy;
    host.kernel.events.on('policy.changed', () => {
      void policyStatusOf(host).then((status) => (this.#policy = status));
    });
  }

  static async start(
    host: Host,
    resume: string | true | undefined,
    askedHere?: AskedHere,
  ): Promise<InteractiveSession> {
    const open =
      resume === undefined ? await newSession(host) : await resumedSession(host, resume, askedHere);
    return new InteractiveSession(host, open, await policyStatusOf(host));
  }

  /** As it was when it last changed. */
  get policy(): PolicyStatus {
    return this.#policy;
  }

  get open(): OpenSession {
    return this.#open;
  }

  /** Whether there is anything in this session to go on with. */
  get worked(): boolean {
    return this.#worked || this.#open.replayed !== null;
  }

  /** Work on a message; null goes on with what a resumed session left open. */
  async run(prompt: string | null): Promise<RunResult> {
    const collector = new RunCollector();
    const stop = listenToEvents(this.host.kernel.events, (event) => collector.handle(event));
    this.#worked = true;
    try {
      const { agent } = this.#open;
      const ended = prompt === null ? await agent.resume() : await agent.run(prompt);
      this.#account(ended);
      return collector.result({
        session: this.#open.log.id,
        run: ended.run,
        model: ended.model,
        costUsd: ended.costUsd,
        policy: { id: this.policy.id, revision: this.policy.revision, state: this.policy.state },
        tolerateDenials: true,
        status: ended.status,
        durationMs: ended.durationMs,
        error: ended.error,
      });
    } finally {
      stop();
      // The files are read anew for each call; what is shown follows with each run.
      this.#policy = await policyStatusOf(this.host);
    }
  }

  interrupt(): void {
    this.#open.agent.abort();
  }

  /**
   * Close this session's log and begin another; files and settings stay as they are. Throws `session.busy`, and what
   * opening the other throws.
   */
  async replaceWith(resume: string | undefined, askedHere?: AskedHere): Promise<void> {
    if (this.#open.agent.running) {
      throw new WrongStackError('session.busy', 'this session is at work', {
        hint: 'wait for it, or Esc interrupts it',
      });
    }
    const next =
      resume === undefined ? await newSession(this.host) : await resumedSession(this.host, resume, askedHere);
    const previous = this.#open;
    this.#open = next;
    this.#costUsd = null;
    this.#contextTokens = 0;
    this.#worked = false;
    await previous.log.flush();
    await previous.log.close();
  }

  status(): SessionStatus {
    const { control, config } = this.host;
    const budget = config.current.agent.contextTokens;
    return {
      mode: control.mode,
      yolo: control.yolo,
      policy: this.policy,
      model: config.current.provider.model,
      context: this.#contextTokens === 0 ? null : Math.min(1, this.#contextTokens / budget),
      costUsd: this.#costUsd,
    };
  }

  async close(): Promise<void> {
    this.interrupt();
    await this.#open.log.flush();
    await this.#open.log.close();
  }

  #account({ costUsd, usage, turns }: AgentResult): void {
    if (costUsd !== null) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
    // The sum over all turns counts the same context again and again; a turn's share is the nearest figure at hand.
    const sent = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    if (turns > 0 && sent > 0) this.#contextTokens = Math.round(sent / turns) + usage.outputTokens;
  }
}
