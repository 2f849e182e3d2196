import { SessionLog, type SessionEntry, type SessionId } from '@wrongstack/contracts';

/** A session log in memory. Entries go through JSON, as on disk. */
export class MemorySession extends SessionLog {
  readonly id: SessionId;
  readonly file = null;
  readonly lines: string[] = [];
  flushes = 0;
  /** Set to make every further append fail, as a full disk does. */
  failure: Error | null = null;

  constructor(id = 's-test', entries: readonly SessionEntry[] = []) {
    super();
    this.id = id as SessionId; // tests name their sessions
    this.lines.push(...entries.map((entry) => JSON.stringify(entry)));
  }

  get all(): readonly SessionEntry[] {
    return this.lines.map((line) => JSON.parse(line) as SessionEntry);
  }

  get types(): readonly string[] {
    return this.all.map(({ type }) => type);
  }

  ofType(type: string): readonly SessionEntry[] {
    return this.all.filter((entry) => entry.type === type);
  }

  override async append(entry: SessionEntry): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.lines.push(JSON.stringify(entry));
  }

  override async flush(): Promise<void> {
    this.flushes += 1;
  }

  override async *entries(): AsyncIterable<SessionEntry> {
    for (const line of [...this.lines]) yield JSON.parse(line) as SessionEntry;
  }

  override async close(): Promise<void> {
    await this.flush();
  }
}
