import { messageOf, WrongStackError } from './errors.js';

/** Why a text is no JSON that means one thing. */
export class JsonFault extends WrongStackError {
  constructor(
    /** `not valid JSON (Unexpected token)`, `the key tools.bash stands twice`. Never what stands around it, which may be a secret. */
    readonly what: string,
    readonly line: number,
    readonly column: number,
    cause?: unknown,
  ) {
    super('json.invalid', `${line}:${column}: ${what}`, { cause });
  }
}

/** What a person nests in a file of settings is far less. */
const MOST_NESTED = 200;

/**
 * JSON as a person reads it. The standard parser keeps the last of two keys of one name, so that a restriction vanishes without
 * a word, and makes a member of `__proto__` that other code takes for something else: here both are faults. Throws `json.invalid`.
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = messageOf(error);
    throw faultAt(text, offsetIn(message, text), `not valid JSON (${firstClause(message)})`, error);
  }
  checkKeys(text);
  return value;
}

/** The text is valid JSON: a string before a colon is a key, and nothing else has to be told apart. */
function checkKeys(text: string): void {
  const open: { readonly keys: Set<string>; name: string }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '{':
      case '[':
        open.push({ keys: new Set(), name: '' });
        if (open.length > MOST_NESTED) throw faultAt(text, at, 'nested too deeply');
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, at);
        const inner = open.at(-1);
        if (inner !== undefined && isBeforeColon(text, end)) {
          inner.name = JSON.parse(text.slice(at, end)) as string;
          const path = () => shown(open.map(({ name }) => name));
          if (inner.name === '__proto__') throw faultAt(text, at, `the key ${path()} is never allowed`);
          if (inner.keys.has(inner.name)) throw faultAt(text, at, `the key ${path()} stands twice`);
          inner.keys.add(inner.name);
        }
        at = end - 1;
      }
    }
  }
}

/** Behind the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '"') return at + 1;
  }
}

function isBeforeColon(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.charAt(at) === ':';
}

/** `tools.bash.permission`; lists have no names. */
function shown(names: readonly string[]): string {
  const path = names.filter((name) => name !== '').join('.');
  return /^[\w.@/-]{1,120}$/.test(path) ? path : JSON.stringify(path.slice(0, 120));
}

function faultAt(text: string, offset: number, what: string, cause?: unknown): JsonFault {
  const before = text.slice(0, offset).split('\n');
  return new JsonFault(what, before.length, (before.at(-1)?.length ?? 0) + 1, cause);
}

function offsetIn(message: string, text: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  return NO_PLACE.test(message) ? offsetOfToken(text) : text.length;
}

const NO_PLACE = /^Unexpected token/;

/** The engine does not say where an unexpected token stands: it ends the shortest beginning that has one. */
function offsetOfToken(text: string): number {
  let [without, within] = [0, text.length];
  while (within - without > 1) {
    const middle = (without + within) >> 1;
    if (NO_PLACE.test(faultOf(text.slice(0, middle)))) within = middle;
    else without = middle;
  }
  return within - 1;
}

function faultOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

// The engine's message repeats the text around the fault.
function firstClause(message: string): string {
  return (
    /^(Unexpected (?:token|end of JSON input|non-whitespace character)|Expected [^"]*?|Bad [^"]*?|Unterminated [^"]*?)(?= in JSON| '|,| after| at|$)/.exec(
      message,
    )?.[0] ?? 'unexpected text'
  ).trim();
}
