import type { StopReason } from '@wrongstack/contracts';

/** What the loopback server answers to one request. */
export interface LoopbackTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly LoopbackCall[];
  readonly stopReason?: StopReason;
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | null;
  /** Not 200: this status, with `headers` and `body`, and no stream. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A whole stream of one's own, instead of what the other fields describe. */
  readonly rawStream?: string;
  /** Cut the stream after so many bytes and end the body in good order, or break the connection. */
  readonly cutAfterBytes?: number;
  readonly cutHow?: 'end' | 'reset';
  /** Sizes of the pieces in which the stream is written, over and over; one piece when missing. */
  readonly pieces?: readonly number[];
  readonly delayMs?: number;
  /** Send the headers and this many bytes, then nothing more. */
  readonly hangAfterBytes?: number;
}

export interface LoopbackCall {
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  /** The arguments, letter by letter, where they shall not be JSON. */
  readonly rawInput?: string;
}

export function callId(call: LoopbackCall, turn: number, position: number): string {
  return call.id ?? `call_${turn + 1}_${position + 1}`;
}

export function callArguments(call: LoopbackCall): string {
  return call.rawInput ?? JSON.stringify(call.input ?? {});
}

/** Cuts text as models stream it: a few letters at a time, never inside a character. */
export function deltas(text: string, size = 7): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

export function sse(event: string | null, data: unknown): string {
  return `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}
