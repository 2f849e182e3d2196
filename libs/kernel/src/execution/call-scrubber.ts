import { changedKeys, type SecretScrubber } from '@wrongstack/contracts';

export const REDACTED = '[redacted by policy]';
/** A line longer than this is cut for redaction: a stream must not be held back without bound. */
const LONGEST_HELD = 16_384;
/** Below, nothing is shown: what nobody looked at is not handed on. */
const DEEPEST = 64;

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
    // The shape is kept: strings inside change, and so do the names of members, which come from whoever called.
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
  const rest = pieces.slice(anchorAt + 1).map((piece) => new PieceFinder(text, piece));
  const words = new WordEnds(text);
  let done = '';
  let from = 0;
  for (;;) {
    const found = text.indexOf(anchor, from);
    if (found === -1) return done + text.slice(from);
    const end = matchRest(words, found + anchor.length, rest);
    if (end === null) {
      // No later start inside the same word can match what is missing from its rest.
      const next = Math.max(words.endOf(found), found + anchor.length);
      done += text.slice(from, next);
      from = next;
    } else {
      const start = anchorAt > 0 ? wordStart(text, found, from) : found;
      done += text.slice(from, start) + REDACTED;
      from = end;
    }
  }
}

function matchRest(words: WordEnds, from: number, rest: readonly PieceFinder[]): number | null {
  let at = from;
  for (const [index, finder] of rest.entries()) {
    const limit = words.endOf(at);
    if (finder.piece === '') {
      if (index === rest.length - 1) at = limit;
      continue;
    }
    const found = finder.find(at);
    if (found === -1 || found > limit) return null;
    at = found + finder.piece.length;
  }
  return at;
}

/** Remembers the last hit: positions only grow, so the text is searched once and not once a match. */
class PieceFinder {
  #from = 0;
  #found: number;

  constructor(
    private readonly text: string,
    readonly piece: string,
  ) {
    this.#found = piece === '' ? 0 : text.indexOf(piece);
  }

  find(from: number): number {
    const stillAhead = this.#found === -1 || (from >= this.#from && from <= this.#found);
    if (!stillAhead) {
      this.#from = from;
      this.#found = this.text.indexOf(this.piece, from);
    }
    return this.#found;
  }
}

/** The end of the word at a position, remembered likewise. */
class WordEnds {
  #start = 0;
  #end = -1;

  constructor(private readonly text: string) {}

  endOf(at: number): number {
    if (at >= this.#start && at <= this.#end) return this.#end;
    this.#start = at;
    this.#end = at;
    while (this.#end < this.text.length && !isSpace(this.text.charCodeAt(this.#end))) this.#end += 1;
    return this.#end;
  }
}

function wordStart(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && !isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}

function mapStrings(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, depth + 1));
  const entries: [string, unknown][] = Object.entries(value);
  const keys = changedKeys(
    entries.map(([key]) => key),
    change,
  );
  // `fromEntries` defines own members: a key `__proto__` stays data.
  return Object.fromEntries(
    entries.map(([key, item], index) => [keys[index] ?? key, mapStrings(item, change, depth + 1)]),
  );
}
