import type { SecretScrubber } from '@wrongstack/contracts';

export const REDACTED = '[redacted by policy]';
/** A line longer than this is cut for redaction: a stream must not be held back without bound. */
const LONGEST_HELD = 16_384;

/** The scrubber of one call: what everybody's masks, plus the patterns that a policy obliges for this result. */
export class CallScrubber {
  readonly #base: SecretScrubber;
  readonly #patterns: readonly (readonly string[])[];

  constructor(base: SecretScrubber, patterns: readonly string[]) {
    this.#base = base;
    this.#patterns = patterns.map(parsePattern).filter((pieces) => pieces.some((piece) => piece !== ''));
  }

  scrub(text: string): string {
    return this.#redact(this.#base.scrub(text));
  }

  scrubValue<T>(value: T): T {
    const scrubbed = this.#base.scrubValue(value);
    // The shape is kept: only strings inside change.
    return this.#patterns.length === 0
      ? scrubbed
      : (mapStrings(scrubbed, (text) => this.#redact(text), 0) as T);
  }

  /** For text that arrives in pieces. With patterns, whole lines are held back until they are complete. */
  stream(): { push(chunk: string): string; end(): string } {
    const base = this.#base.stream();
    if (this.#patterns.length === 0) return base;
    let held = '';
    const release = (more: string, last: boolean): string => {
      held += more;
      const cut = last || held.length > LONGEST_HELD ? held.length : held.lastIndexOf('\n') + 1;
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      return this.#redact(ready);
    };
    return {
      push: (chunk) => release(base.push(chunk), false),
      end: () => release(base.end(), true),
    };
  }

  #redact(text: string): string {
    return this.#patterns.reduce(redactPattern, text);
  }
}

/** Literal pieces between stars; `\*` is a star. */
function parsePattern(pattern: string): readonly string[] {
  const pieces = [''];
  for (let index = 0; index < pattern.length; index += 1) {
    const last = pieces.length - 1;
    if (pattern[index] === '\\' && pattern[index + 1] === '*') {
      pieces[last] = `${pieces[last] ?? ''}*`;
      index += 1;
    } else if (pattern[index] === '*') pieces.push('');
    else pieces[last] = `${pieces[last] ?? ''}${pattern.charAt(index)}`;
  }
  return pieces;
}

/**
 * Replace every match; a star stands for characters that are not white space. Scans forward only, so that no pattern
 * and no text can make it slow, which a regular expression could not promise.
 */
function redactPattern(text: string, pieces: readonly string[]): string {
  const anchorAt = pieces.findIndex((piece) => piece !== '');
  const anchor = pieces[anchorAt] ?? '';
  let done = '';
  let from = 0;
  for (;;) {
    const found = text.indexOf(anchor, from);
    if (found === -1) return done + text.slice(from);
    const start = anchorAt > 0 ? wordStart(text, found, from) : found;
    const end = matchRest(text, found + anchor.length, pieces.slice(anchorAt + 1));
    if (end === null) {
      // No later start inside the same word can match what is missing from its rest.
      const next = Math.max(wordEnd(text, found), found + anchor.length);
      done += text.slice(from, next);
      from = next;
    } else {
      done += text.slice(from, start) + REDACTED;
      from = end;
    }
  }
}

function matchRest(text: string, from: number, pieces: readonly string[]): number | null {
  let at = from;
  for (const [index, piece] of pieces.entries()) {
    const limit = wordEnd(text, at);
    if (piece === '') {
      if (index === pieces.length - 1) at = limit;
      continue;
    }
    const found = text.indexOf(piece, at);
    if (found === -1 || found > limit) return null;
    at = found + piece.length;
  }
  return at;
}

function wordStart(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && !isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}

function mapStrings(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null || depth > 64) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item, change, depth + 1)]),
  );
}
