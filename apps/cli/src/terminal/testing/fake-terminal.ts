import type { Disposer } from '@wrongstack/contracts';
import type { EventSource, TerminalEvent } from '../event-source.js';
import type { TerminalIo } from '../terminal-options.js';
import { TerminalModel } from './terminal-model.js';

type DataListener = (chunk: Buffer) => void;

/** Both ends of a terminal: what the person types, what they see, and the size of the window. */
export class FakeTerminal {
  readonly screen: TerminalModel;
  raw = false;
  private readonly listeners = new Map<string, DataListener[]>();
  private onSize: ((size: { columns: number; rows: number }) => void) | null = null;

  constructor(columns = 80, rows = 24) {
    this.screen = new TerminalModel(columns, rows);
  }

  readonly io: TerminalIo = {
    input: {
      on: (name: string, listener: DataListener) =>
        this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]),
      off: (name: string, listener: DataListener) =>
        this.listeners.set(
          name,
          (this.listeners.get(name) ?? []).filter((one) => one !== listener),
        ),
      setRawMode: (raw: boolean) => (this.raw = raw),
      resume: () => undefined,
      pause: () => undefined,
    },
    // A terminal that is not in raw mode returns the carriage at every line feed by itself.
    output: { write: (text: string) => this.screen.write(this.raw ? text : text.replaceAll('\n', '\r\n')) },
    onResize: (listener): Disposer => {
      this.onSize = listener;
      return () => (this.onSize = null);
    },
  };

  /** One read. A terminal that is not in raw mode shows what is typed by itself. */
  send(text: string): void {
    if (!this.raw) this.screen.write(text.replaceAll('\n', '\r\n'));
    for (const listener of this.listeners.get('data') ?? []) listener(Buffer.from(text));
  }

  resize(columns: number, rows: number): void {
    this.onSize?.({ columns, rows });
  }

  listening(): boolean {
    return (this.listeners.get('data') ?? []).length > 0;
  }
}

/** An event bus that a spec speaks through. */
export class FakeEvents implements EventSource {
  private readonly listeners = new Set<(name: string, payload: unknown) => void>();

  onPattern(_pattern: string, listener: (name: string, payload: unknown) => void): Disposer {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(event: TerminalEvent): void {
    for (const listener of this.listeners) listener(event.name, event.payload);
  }
}
