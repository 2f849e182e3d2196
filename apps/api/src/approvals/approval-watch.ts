import { EventEmitter, once } from 'node:events';
import { type Disposer, type Logger, messageOf } from '@wrongstack/contracts';
import type { ApprovalRequest, ControlStore } from '@wrongstack/contracts/control';

/** How often a replica looks whether another one has taken an answer. One small read, and only while somebody waits. */
const LOOK_EVERY_MS = 1_000;
const ACTIONS = 'approval.';

/** Something was done to a request. `seq`: where the audit log has it, which orders the changes of all replicas. */
export interface ApprovalChange {
  readonly seq: number;
  readonly action: string;
  readonly approval: string;
}

/**
 * Tells those who wait that a request has changed: what was done in this process at once, what others did within a second. The
 * organisation's audit chain is where changes are found, since nothing changes without a record in it.
 */
export class ApprovalWatch {
  readonly #news = new EventEmitter().setMaxListeners(0);
  #timer: NodeJS.Timeout | null = null;
  #head: number | null = null;
  #looking = false;
  #stopped = false;

  constructor(
    private readonly store: ControlStore,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopped = true;
    this.#news.emit('news');
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Something was done here. `ended`: requests that wait for nobody from now on. */
  changed(ended: readonly ApprovalRequest[] = []): void {
    this.#news.emit('news');
    for (const request of ended) this.#news.emit('ended', request);
  }

  /** Each request that ended in this process: over all processes, each once. */
  onEnded(listener: (request: ApprovalRequest) => void): Disposer {
    this.#news.on('ended', listener);
    return () => void this.#news.off('ended', listener);
  }

  /** Resolves with the next news, or when the time is over. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#stopped) return;
    const over = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, ms))]);
    await once(this.#news, 'news', { signal: over }).catch(() => undefined);
  }

  /** Where the log ends now: what comes after it is news. */
  async head(): Promise<number> {
    return (await this.store.audit.head()).seq;
  }

  /** All changes behind a place in the log, oldest first. */
  async *since(seq: number, signal: AbortSignal): AsyncGenerator<ApprovalChange> {
    for await (const rows of this.store.audit.stream({ filter: { kind: 'note', afterSeq: seq }, signal })) {
      for (const row of rows) {
        const change = changeIn(row);
        if (change !== null) yield change;
      }
    }
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#news.listenerCount('news') === 0) {
      // Nobody waits; whoever comes later reads the state itself first.
      this.#head = null;
      return;
    }
    this.#looking = true;
    try {
      const head = await this.head();
      const before = this.#head;
      this.#head = head;
      // The first look cannot tell what came between: it says so rather than miss it.
      if (before === null) this.changed();
      else if (head > before) {
        const changes = this.since(before, AbortSignal.timeout(30_000))[Symbol.asyncIterator]();
        const first = await changes.next();
        await changes.return(undefined);
        if (first.done !== true) this.changed();
      }
    } catch (error) {
      this.log.warn('could not look for answers', { because: messageOf(error) });
    } finally {
      this.#looking = false;
    }
  }
}

function changeIn({ seq, body }: { readonly seq: number; readonly body: string }): ApprovalChange | null {
  // Cheap before the text is read: most notes are about other things.
  if (!body.includes(`"action":"${ACTIONS}`)) return null;
  // A row of our own chain: the shapes are those of recordAction, and what is not is left out.
  const { entry } = JSON.parse(body) as {
    readonly entry: { readonly data?: Readonly<Record<string, unknown>> };
  };
  const { action, approval } = entry.data ?? {};
  if (typeof action !== 'string' || typeof approval !== 'string' || !action.startsWith(ACTIONS)) return null;
  return { seq, action, approval };
}
