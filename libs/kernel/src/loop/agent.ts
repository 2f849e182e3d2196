import { isoNow, messageOf, newId, WrongStackError } from '@wrongstack/contracts';
import type { AgentHandle, ContentBlock, InjectSource, Message, SessionEntry } from '@wrongstack/contracts';
import type { CallScope } from '../execution/call-scope.js';
import { Conversation } from '../session/conversation.js';
import type { AgentInput, AgentOptions, AgentPorts, AgentResult, AgentRunOptions } from './agent-options.js';
import { AgentLoop } from './agent-loop.js';
import { ReadRecords } from './read-records.js';
import { RunContext } from './run-context.js';
import { storable } from './scrubbed-entries.js';

/** One session's agent: holds the conversation between runs. One run at a time. */
export class Agent implements AgentHandle {
  /** Shared by tools, slash commands and plugins of this session. */
  readonly meta: Record<string, unknown> = {};
  readonly #ports: AgentPorts;
  readonly #options: AgentOptions;
  readonly #conversation: Conversation;
  readonly #reads = new ReadRecords();
  #running: AbortController | null = null;

  constructor(ports: AgentPorts, options: AgentOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#conversation = options.conversation ?? new Conversation();
  }

  get messages(): readonly Message[] {
    return this.#conversation.messages;
  }

  get running(): boolean {
    return this.#running !== null;
  }

  /** Answer one input. Rejects only with `agent.busy`; everything else is in the result. */
  async run(input: AgentInput, options: AgentRunOptions = {}): Promise<AgentResult> {
    return this.#exclusive(options.signal, (run) => run.run(input));
  }

  /** Go on with a resumed session: open calls are settled first, then the model answers where it is its turn. */
  async resume(options: AgentRunOptions = {}): Promise<AgentResult> {
    return this.#exclusive(options.signal, (run) => run.run(null));
  }

  /** Summarise older turns now. False when there is nothing to summarise. */
  async compact(options: AgentRunOptions = {}): Promise<boolean> {
    return this.#exclusive(options.signal, (run) => run.compact());
  }

  abort(reason = 'interrupted'): void {
    this.#running?.abort(new DOMException(reason, 'AbortError'));
  }

  /** Durable at once, seen by the next request; never throws, also after the session was closed. */
  inject(content: string | readonly ContentBlock[], { source }: { readonly source: InjectSource }): void {
    const blocks: readonly ContentBlock[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const entry: SessionEntry = {
      type: 'inject',
      ts: isoNow(this.#ports.clock),
      // What comes from outside is scrubbed before the model sees it, like a result.
      content: this.#ports.scrubber.scrubValue(blocks),
      // `now` is the host's own: a plugin's note waits for the next request.
      source: { ...source, now: false },
    };
    this.#append(entry).catch((error: unknown) => {
      this.#ports.log.warn('a note could not be stored', { message: messageOf(error) });
    });
  }

  /** The context outside of a run, for slash commands. */
  context(): RunContext {
    return this.#context(newId('RunId'));
  }

  async #exclusive<T>(signal: AbortSignal | undefined, work: (run: AgentLoop) => Promise<T>): Promise<T> {
    if (this.#running !== null) {
      throw new WrongStackError('agent.busy', 'the agent is at work already', {
        hint: 'wait for it, or interrupt it first',
      });
    }
    const controller = new AbortController();
    this.#running = controller;
    try {
      return await work(
        this.#newRun(signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal])),
      );
    } finally {
      this.#running = null;
    }
  }

  #newRun(signal: AbortSignal): AgentLoop {
    const options = this.#options;
    const run = newId('RunId');
    const context = this.#context(run);
    const scope: CallScope = {
      origin: { session: options.session.id, run, agent: options.name ?? 'main' },
      context,
      actor: options.actor,
      session: options.sessionFacts,
      log: { append: (entry) => this.#append(entry) },
      // The handle alone: a tool that could run or abort the agent would drive its own driver.
      agent: { inject: (content, source) => this.inject(content, source) },
      ...(options.approvals === undefined ? {} : { approvals: options.approvals }),
      ...(options.allowTool === undefined ? {} : { offers: options.allowTool }),
      ...(options.taskOwner === undefined ? {} : { taskOwner: options.taskOwner }),
      ...(options.snapshotDir === undefined ? {} : { snapshotDir: options.snapshotDir }),
    };
    return new AgentLoop({
      ports: this.#ports,
      options,
      conversation: this.#conversation,
      context,
      scope,
      append: (entry) => this.#append(entry),
      signal,
    });
  }

  #context(run: ReturnType<typeof newId<'RunId'>>): RunContext {
    const { session, cwd, projectRoot, scratchDir, dataDir } = this.#options;
    return new RunContext({
      cwd,
      projectRoot,
      scratchDir,
      dataDir,
      sessionId: session.id,
      runId: run,
      meta: this.meta,
      log: this.#ports.log,
      entries: { append: (entry) => this.#append(entry) },
      scrubber: this.#ports.scrubber,
      reads: this.#reads,
      locks: this.#ports.locks,
    });
  }

  /** Applied in the order of asking, which is also the log's: what a resume folds is what this run has seen. */
  async #append(entry: SessionEntry): Promise<void> {
    this.#conversation.apply(entry);
    await this.#options.session.append(storable(this.#ports.scrubber, entry));
  }
}
