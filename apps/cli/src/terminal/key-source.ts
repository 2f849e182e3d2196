import { EventEmitter } from 'node:events';
import { emitKeypressEvents } from 'node:readline';
import type { Disposer } from '@wrongstack/contracts';
import type { InputEvent } from './key.js';

interface Keypress {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** How long a lone ESC byte waits for the rest of a sequence before it counts as the Esc key. */
const ESCAPE_TIMEOUT_MS = 50;

/**
 * Bytes of a terminal in raw mode → input events. Everything that one read brings beyond a single key is one `text`
 * event: a person presses one key at a time, so the rest was typed ahead, pasted or sent by a program.
 */
export class KeySource {
  private readonly relay = new EventEmitter();
  private batch: Keypress[] | null = null;
  private paste: string | null = null;

  constructor(private readonly emit: (event: InputEvent) => void) {
    // emitKeypressEvents only listens for `data` and emits `keypress`; its second argument is read for the timeout alone.
    emitKeypressEvents(
      this.relay as unknown as NodeJS.ReadableStream,
      { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as unknown as Parameters<typeof emitKeypressEvents>[1],
    );
    this.relay.on('keypress', (text: string | undefined, key: Keypress | undefined) => {
      const press: Keypress = { ...key, sequence: key?.sequence ?? text ?? '' };
      if (this.batch === null) this.deliver([press]);
      else this.batch.push(press);
    });
  }

  feed(chunk: Buffer): void {
    this.batch = [];
    this.relay.emit('data', chunk);
    const pressed = this.batch;
    this.batch = null;
    this.deliver(pressed);
  }

  private deliver(pressed: readonly Keypress[]): void {
    let together: Keypress[] = [];
    const flush = (): void => {
      if (together.length > 0) this.deliverTogether(together);
      together = [];
    };
    for (const press of pressed) {
      if (press.name === 'paste-start') {
        flush();
        this.paste = '';
      } else if (press.name === 'paste-end') {
        const text = this.paste ?? '';
        this.paste = null;
        if (text !== '') this.emit({ kind: 'text', text, pasted: true });
      } else if (this.paste !== null) this.paste += press.sequence ?? '';
      else together.push(press);
    }
    flush();
  }

  private deliverTogether(pressed: readonly Keypress[]): void {
    const [only, ...others] = pressed;
    if (only === undefined) return;
    if (others.length === 0) {
      const event = eventOf(only);
      if (event !== null) this.emit(event);
      return;
    }
    // Named keys of a burst (arrows held down, Esc) keep their meaning; characters join into one text.
    let text = '';
    const flush = (): void => {
      if (text !== '') this.emit({ kind: 'text', text, pasted: false });
      text = '';
    };
    for (const [index, press] of pressed.entries()) {
      const event = eventOf(press);
      if (event === null) continue;
      const newline =
        event.kind === 'key' && (event.name === 'return' || event.name === 'enter') && !event.meta;
      // Enter inside a burst is part of the text. The last one is the Enter of somebody who types faster than we read.
      if (newline && !(index === pressed.length - 1 && event.name === 'return')) text += '\n';
      else if (event.kind === 'key') {
        flush();
        this.emit(event);
      } else text += event.text;
    }
    flush();
  }
}

function eventOf(press: Keypress): InputEvent | null {
  const sequence = press.sequence ?? '';
  const [ctrl, meta, shift] = [press.ctrl === true, press.meta === true, press.shift === true];
  const name = press.name ?? '';
  if (!ctrl && !meta && isPrintable(sequence)) return { kind: 'char', text: sequence };
  if (name === '' || name === 'undefined') return null;
  // Node reports the Esc key as meta+escape, since its byte is also the prefix of Alt.
  return { kind: 'key', name, ctrl, meta: meta && name !== 'escape', shift };
}

function isPrintable(sequence: string): boolean {
  const code = sequence.codePointAt(0) ?? 0;
  return sequence !== '' && code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code <= 0x9f);
}

export interface RawInput {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  setRawMode?(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
}

/**
 * What was typed before raw mode came as lines, their Enter as a line feed. A whole line typed ahead is a message that
 * was sent, so the last of them is an Enter again.
 */
function withEnter(read: Buffer): Buffer {
  if (read.length < 2 || read.at(-1) !== LINE_FEED) return read;
  const sent = Buffer.from(read);
  sent[sent.length - 1] = CARRIAGE_RETURN;
  return sent;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Raw mode on; the disposer puts the terminal back as it was. */
export function listenForKeys(input: RawInput, emit: (event: InputEvent) => void): Disposer {
  const source = new KeySource(emit);
  let first = true;
  const onData = (chunk: Buffer): void => {
    const read = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    source.feed(first ? withEnter(read) : read);
    first = false;
  };
  input.setRawMode?.(true);
  input.on('data', onData);
  input.resume();
  let done = false;
  return () => {
    if (done) return;
    done = true;
    input.off('data', onData);
    input.setRawMode?.(false);
    input.pause();
  };
}
