import type {
  AssistantBlock,
  BuiltInSessionEntry,
  CallId,
  ContentBlock,
  Message,
  SessionEntry,
  ToolResultBlock,
  ToolUseBlock,
  UserBlock,
} from '@wrongstack/contracts';

type Entry<Type extends BuiltInSessionEntry['type']> = Extract<BuiltInSessionEntry, { type: Type }>;

/** A call that has no result yet. */
export interface PendingCall {
  readonly use: ToolUseBlock;
  /** The tool had been started: its effect is unknown, so it is never run again. */
  readonly started: boolean;
  /** The stored input is not the requested one. */
  readonly masked: boolean;
}

export const INTERRUPTED =
  'Interrupted: the process ended while this call was under way. Its side effect is unknown and it was not run again; check the state before repeating it.';

/** What repairs say of lines that are lost: `readEntries` and `repairTail` of libs/adapters. */
const DAMAGED = /^(?:line \d+ is damaged|the last line was cut off)/;

/**
 * The messages of a session, folded from its entries. A live run feeds it the entries that it appends, a resumed one those
 * that it reads back: both get the same messages, because there is only this one way to them.
 * Every tool_use is answered by exactly one tool_result right after its message; what the log lacks is filled in.
 */
export class Conversation {
  #messages: Message[] = [];
  #open: ToolUseBlock[] = [];
  #results = new Map<CallId, ToolResultBlock>();
  #notes: ContentBlock[] = [];
  readonly #started = new Set<CallId>();
  readonly #masked = new Set<CallId>();
  readonly #parked = new Map<CallId, ToolUseBlock>();
  readonly #repairs: string[] = [];
  readonly #written = new Set<string>();
  readonly #announcedTasks = new Set<string>();

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** What had to be filled in or dropped and is not yet written in the log, one line each. */
  get repairs(): readonly string[] {
    return this.#repairs.filter((what) => !this.#written.has(what));
  }

  /** Calls of the last message that still wait for a result, in the model's order. */
  get pending(): readonly PendingCall[] {
    return this.#open
      .filter(({ id }) => !this.#results.has(id))
      .map((use) => ({ use, started: this.#started.has(use.id), masked: this.#masked.has(use.id) }));
  }

  /** Calls that were put off for an approval and have not been decided again. */
  get parked(): readonly PendingCall[] {
    return [...this.#parked.values()].map((use) => ({
      use,
      started: false,
      masked: this.#masked.has(use.id),
    }));
  }

  /** Background tasks whose end this conversation has been told of. */
  get announcedTasks(): ReadonlySet<string> {
    return this.#announcedTasks;
  }

  get callIds(): ReadonlySet<string> {
    const ids = this.#messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    );
    return new Set(ids);
  }

  apply(entry: SessionEntry): void {
    // Custom entries have any other type, so after the comparison the built-in shape holds.
    const known = entry as BuiltInSessionEntry;
    switch (known.type) {
      case 'user_input':
        this.#closeTurn();
        this.#push([...this.#takeNotes(), ...known.content]);
        break;
      case 'inject':
        this.#inject(known);
        break;
      case 'assistant_message':
        this.#assistant(known);
        break;
      case 'tool_use':
        if (known.masked === true) this.#masked.add(known.call);
        break;
      case 'tool_started':
        this.#started.add(known.call);
        break;
      case 'tool_result':
        // A tool asked for that call, and has the result in its own.
        if (known.within === undefined) this.#result(known);
        break;
      case 'compaction':
        this.#compact(known);
        break;
      case 'file_snapshot':
        this.#started.add(known.call);
        break;
      case 'repair':
        this.#written.add(known.what);
        // The lost line may have been the one that says that a call was started: none that is open is run again.
        if (DAMAGED.test(known.what)) for (const { id } of this.#open) this.#started.add(id);
        break;
      default:
        break;
    }
  }

  #assistant(entry: Entry<'assistant_message'>): void {
    this.#closeTurn();
    for (const id of entry.masked ?? []) this.#masked.add(id);
    // Providers refuse empty messages, and an empty one says nothing.
    const content = entry.content.filter(
      (block: AssistantBlock) => block.type !== 'text' || block.text !== '',
    );
    if (content.length === 0) return;
    this.#messages.push({ role: 'assistant', content });
    this.#open = content.filter((block): block is ToolUseBlock => block.type === 'tool_use');
    this.#results = new Map();
  }

  #result(entry: Entry<'tool_result'>): void {
    const block: ToolResultBlock = {
      type: 'tool_result',
      id: entry.call,
      content: entry.content,
      isError: entry.isError,
    };
    const use = this.#open.find(({ id }) => id === entry.call);
    if (use !== undefined) {
      this.#results.set(entry.call, block);
      if (entry.status === 'parked') this.#parked.set(entry.call, use);
      if (this.#results.size === this.#open.length) this.#closeTurn();
    } else if (this.#parked.has(entry.call)) {
      if (entry.status !== 'parked') this.#parked.delete(entry.call);
      this.#replace(block);
    } else {
      this.#repairs.push(`result without a call dropped: ${entry.call}`);
    }
  }

  /** Answer everything that is still open, then let waiting notes in. */
  #closeTurn(): void {
    if (this.#open.length === 0) return;
    const blocks: UserBlock[] = this.#open.map((use) => this.#results.get(use.id) ?? this.#interrupted(use));
    this.#open = [];
    this.#push([...blocks, ...this.#takeNotes()]);
  }

  #interrupted(use: ToolUseBlock): ToolResultBlock {
    this.#repairs.push(`call without a result closed as interrupted: ${use.name} ${use.id}`);
    return { type: 'tool_result', id: use.id, content: [{ type: 'text', text: INTERRUPTED }], isError: true };
  }

  // A note must not stand between a call and its result, nor before an answer that was given without it. So it waits for
  // the next thing that goes to the model, unless it is itself what the model shall answer now.
  #inject(entry: Entry<'inject'>): void {
    const { kind, task } = entry.source;
    if (kind === 'task' && typeof task === 'string') this.#announcedTasks.add(task);
    if (entry.source['now'] === true && this.#open.length === 0)
      this.#push([...this.#takeNotes(), ...entry.content]);
    else this.#notes.push(...entry.content);
  }

  #takeNotes(): readonly ContentBlock[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  #push(content: readonly UserBlock[]): void {
    const last = this.#messages.at(-1);
    // Roles alternate: some providers refuse two user messages in a row.
    if (last?.role === 'user') {
      this.#messages[this.#messages.length - 1] = { role: 'user', content: [...last.content, ...content] };
    } else this.#messages.push({ role: 'user', content });
  }

  #replace(block: ToolResultBlock): void {
    this.#messages = this.#messages.map((message) =>
      message.role === 'user' &&
      message.content.some((one) => one.type === 'tool_result' && one.id === block.id)
        ? {
            role: 'user',
            content: message.content.map((one) =>
              one.type === 'tool_result' && one.id === block.id ? block : one,
            ),
          }
        : message,
    );
  }

  #compact(entry: Entry<'compaction'>): void {
    const kept = this.#messages.slice(entry.keptFrom);
    const summary: ContentBlock = { type: 'text', text: entry.summary };
    const [first, ...rest] = kept;
    this.#messages =
      first?.role === 'user'
        ? [{ role: 'user', content: [summary, ...first.content] }, ...rest]
        : [{ role: 'user', content: [summary] }, ...kept];
  }
}
