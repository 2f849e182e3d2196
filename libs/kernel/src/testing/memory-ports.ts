import {
  NOBODY,
  type ActorFacts,
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type AuditEntry,
  AuditLog,
  type Clock,
  SecretScrubber,
  type SessionFacts,
} from '@wrongstack/contracts';

export class MemoryAudit extends AuditLog {
  readonly entries: AuditEntry[] = [];
  failure: Error | null = null;

  override async append(entry: AuditEntry): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.entries.push(entry);
  }
}

/** Answers by a function; remembers what it was asked. */
export class ScriptedChannel extends ApprovalChannel {
  readonly asked: ApprovalRequest[] = [];

  constructor(
    public answer: (
      request: ApprovalRequest,
      signal: AbortSignal,
    ) => Promise<ApprovalAnswer> | ApprovalAnswer = () => ({
      kind: 'once',
    }),
  ) {
    super();
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.asked.push(request);
    return this.answer(request, signal);
  }
}

/** Masks exactly the values that it was told, also across chunk borders. */
export class ExactScrubber extends SecretScrubber {
  readonly #secrets: string[] = [];

  constructor(...secrets: readonly string[]) {
    super();
    this.#secrets.push(...secrets);
  }

  override learn(secret: string): void {
    this.#secrets.push(secret);
  }

  override scrub(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.split(secret).join('***'), text);
  }

  override scrubValue<T>(value: T): T {
    const json = JSON.stringify(value) as string | undefined;
    return json === undefined ? value : (JSON.parse(this.scrub(json)) as T);
  }

  override stream(): { push(chunk: string): string; end(): string } {
    let held = '';
    const longest = (): number => Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
    return {
      push: (chunk) => {
        held = this.scrub(held + chunk);
        const cut = Math.max(0, held.length - longest());
        const ready = held.slice(0, cut);
        held = held.slice(cut);
        return ready;
      },
      end: () => {
        const rest = this.scrub(held);
        held = '';
        return rest;
      },
    };
  }
}

/** Goes on by a millisecond each time it is read, so that order shows in times. */
export class TickingClock implements Clock {
  #now = Date.parse('2026-01-01T00:00:00.000Z');

  now(): number {
    this.#now += 1;
    return this.#now;
  }
}

export const PERSON: ActorFacts = { ...NOBODY, user: { name: 'mira', authenticated: true } };

export const INTERACTIVE: SessionFacts = {
  mode: 'default',
  interactive: true,
  yolo: false,
  sandboxed: false,
  remoteApprovals: false,
};
