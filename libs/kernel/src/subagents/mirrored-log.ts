import { SessionLog, type SessionEntry } from '@wrongstack/contracts';

/**
 * A subagent's log that also tells its parent's which files were changed: undoing the last change of a session must not pass
 * over what a subagent did since.
 */
export class MirroredLog extends SessionLog {
  constructor(
    private readonly own: SessionLog,
    private readonly tellParent: (entry: SessionEntry) => Promise<void>,
  ) {
    super();
  }

  get id(): SessionLog['id'] {
    return this.own.id;
  }

  get file(): string | null {
    return this.own.file;
  }

  override async append(entry: SessionEntry): Promise<void> {
    await this.own.append(entry);
    if (entry.type === 'file_snapshot') await this.tellParent(entry);
  }

  override flush(): Promise<void> {
    return this.own.flush();
  }

  override entries(): AsyncIterable<SessionEntry> {
    return this.own.entries();
  }

  override close(): Promise<void> {
    return this.own.close();
  }
}
