import {
  NOBODY,
  type ActorFacts,
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type AuditEntry,
  AuditLog,
  newId,
  SecretScrubber,
  type SessionEntry,
  type SessionFacts,
  SessionLog,
} from '@wrongstack/contracts';

/** Ports of a host in memory. */
export class MemorySessionLog extends SessionLog {
  readonly id = newId('SessionId');
  readonly file = null;
  readonly kept: SessionEntry[] = [];

  override async append(entry: SessionEntry): Promise<void> {
    // Through JSON, as on disk: what does not survive that is not durable.
    this.kept.push(JSON.parse(JSON.stringify(entry)) as SessionEntry);
  }

  override async flush(): Promise<void> {
    // Nothing is buffered.
  }

  override async *entries(): AsyncIterable<SessionEntry> {
    yield* [...this.kept];
  }

  override async close(): Promise<void> {
    await this.flush();
  }
}

export class MemoryAuditLog extends AuditLog {
  readonly kept: AuditEntry[] = [];

  override async append(entry: AuditEntry): Promise<void> {
    this.kept.push(entry);
  }
}

export type TestAnswer = ApprovalAnswer | ((request: ApprovalRequest) => ApprovalAnswer);

export class TestApprovals extends ApprovalChannel {
  readonly asked: ApprovalRequest[] = [];

  constructor(private readonly answer: TestAnswer) {
    super();
  }

  override async ask(request: ApprovalRequest): Promise<ApprovalAnswer> {
    this.asked.push(request);
    return typeof this.answer === 'function' ? this.answer(request) : this.answer;
  }
}

/** Masks the credentials that the test hands out; guesses at nothing, so that results read as they were written. */
export class LearningScrubber extends SecretScrubber {
  readonly #secrets: string[] = [];

  override learn(secret: string): void {
    this.#secrets.push(secret);
  }

  override scrub(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
  }

  override scrubValue<T>(value: T): T {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? value : (JSON.parse(this.scrub(text)) as T);
  }

  override stream(): { push(chunk: string): string; end(): string } {
    let held = '';
    return {
      push: (chunk) => {
        held = this.scrub(held + chunk);
        // What could be the start of a secret waits for the next chunk.
        const longest = Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
        const ready = held.slice(0, Math.max(0, held.length - longest));
        held = held.slice(ready.length);
        return ready;
      },
      end: () => this.scrub(held),
    };
  }
}

export const TEST_ACTOR: ActorFacts = { ...NOBODY, user: { name: 'author', authenticated: true } };

export const TEST_SESSION: SessionFacts = {
  mode: 'default',
  interactive: true,
  yolo: false,
  sandboxed: false,
  remoteApprovals: false,
};
