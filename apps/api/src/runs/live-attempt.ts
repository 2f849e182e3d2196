import type { SessionId } from '@wrongstack/contracts';
import type { ServerRun } from '@wrongstack/contracts/control';
import { type RunEvent, type StartFacts, streamFieldsOf } from '@wrongstack/kernel';
import type { Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { VERSION } from '../version.js';
import type { RunLedger } from './run-ledger.js';
import { tokensOf } from './run-limits.js';
import { bookOf, hasEnded, specOf } from './run-record.js';
import { beat, type Progress } from './run-transitions.js';
import { stillActing } from './still-acting.js';
import { RunStop } from './stop-reason.js';

const LOOK_MS = 1_000;

/** A run while this process executes it: gives signs of life, and hears when it shall stop. */
export class LiveAttempt {
  readonly stop = new RunStop();
  readonly #began = performance.now();
  #used = { turns: 0, toolCalls: 0, tokens: 0 };
  #session: string | null;
  #timer: NodeJS.Timeout | null = null;
  #looking = false;
  #beatAt = performance.now();

  constructor(
    private readonly control: Pick<ControlPlane, 'store' | 'organisation'>,
    private readonly ledger: RunLedger,
    private readonly run: ServerRun,
    private readonly holder: string,
    private readonly patienceMs: number,
  ) {
    this.#session = bookOf(run).session;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#look(), Math.min(LOOK_MS, this.patienceMs / 6));
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  get session(): string | null {
    return this.#session;
  }

  hasSession(id: SessionId): void {
    this.#session = id;
    // Written down at once: whoever asks for a run whose process died finds what it had done.
    this.#beatAt = Number.NEGATIVE_INFINITY;
  }

  ms(): number {
    return performance.now() - this.#began;
  }

  /** What is known of it before it has ended. */
  progress(): Progress {
    const { used, denials, files } = bookOf(this.run);
    return {
      session: this.#session,
      used: {
        turns: used.turns + this.#used.turns,
        toolCalls: used.toolCalls + this.#used.toolCalls,
        tokens: used.tokens + this.#used.tokens,
        costUsd: used.costUsd,
        ms: used.ms + this.ms(),
      },
      denials,
      files,
    };
  }

  async startFacts({ teams }: Principal, cwd: string): Promise<StartFacts> {
    const { revision } = await this.control.store.bundleRevision.current();
    const id = teams[0] === undefined ? 'org' : `team:${teams[0]}`;
    return { version: VERSION, cwd, policy: { id, revision, state: 'fresh' } };
  }

  /** Counts, and passes on what those who follow the run shall see. */
  hear(
    event: RunEvent,
    start: StartFacts,
    tell: (type: string, fields: Record<string, unknown>) => void,
  ): void {
    if (event.name === 'tool.requested') this.#used.toolCalls += 1;
    if (event.name === 'message.completed') {
      this.#used.tokens += tokensOf(event.payload.usage);
      if (event.payload.agent === 'main') this.#used.turns += 1;
    }
    const fields = streamFieldsOf(event, start);
    if (fields === null) return;
    const agent: unknown = Reflect.get(event.payload, 'agent');
    tell(event.name, typeof agent === 'string' ? { agent, ...fields } : fields);
  }

  /** The store may be away: a run goes on without, and others judge by the time that passes. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const run = await this.ledger.get(this.run.id);
      if (run === null || hasEnded(run) || bookOf(run).holder?.id !== this.holder)
        return this.stop.stop({ kind: 'taken' });
      if (run.cancel !== null) return this.stop.stop({ kind: 'cancelled', by: run.cancel.by });
      if (performance.now() - this.#beatAt < this.patienceMs / 3) return;
      const acting = await stillActing(this.control, specOf(run).by);
      if ('gone' in acting) return this.stop.stop({ kind: 'gone', because: acting.gone });
      const { used, session } = this.progress();
      if ((await this.ledger.step(run.id, beat(this.holder, { used, session }))) === null)
        return this.stop.stop({ kind: 'taken' });
      this.#beatAt = performance.now();
    } catch {
      // Asked again in a moment.
    } finally {
      this.#looking = false;
    }
  }
}
