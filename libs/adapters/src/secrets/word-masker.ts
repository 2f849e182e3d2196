import { FORMAT_HINT, HOOK_PATH, secretFormats } from './secret-formats.js';
import type { NameKind } from './secret-names.js';
import { isHarmlessLiteral, isSecretParameter, isVersion, kindOfName, looksLiteral } from './secret-names.js';

export const MASK = '***';

/** What the end of a word says about the next one. */
export type Carry =
  | { readonly kind: 'nothing' }
  /** A name stood alone; an equals sign or a colon would make the next word its value. */
  | { readonly kind: 'name'; readonly name: NamedValue }
  | { readonly kind: 'value'; readonly name: NamedValue }
  /** `Authorization:`: a scheme, or the credential itself. */
  | { readonly kind: 'scheme' }
  /** Behind a scheme. Uncertain where only the word "Bearer" was seen, as in a sentence. */
  | { readonly kind: 'credential'; readonly certain: boolean }
  /** Inside a masked value in quotes. */
  | { readonly kind: 'quoted'; readonly quote: string }
  /** A masked run was cut in the middle. */
  | { readonly kind: 'run' };

export interface NamedValue {
  readonly kind: NameKind;
  readonly style: 'environment' | 'parameter' | 'quoted' | 'bare';
}

export const NOTHING: Carry = { kind: 'nothing' };

const SCHEME = /^["'`\\]*(?:bearer|basic|token|digest|apikey|bot)$/i;
const VALUE_END = /[,;&"'`<>)}\]|\\]/;

/** One word with its secrets masked, and what it means for the next. Linear in the length of the word. */
export function maskWord(word: string, before: Carry): { readonly text: string; readonly carry: Carry } {
  switch (before.kind) {
    case 'nothing':
      return maskPlain(word);
    case 'name':
      return maskAfterName(word, before.name);
    case 'value':
      return maskValueAtStart(word, before.name);
    case 'scheme':
      if (SCHEME.test(word)) return { text: word, carry: { kind: 'credential', certain: true } };
      return maskCredential(word, false);
    case 'credential':
      return maskCredential(word, before.certain);
    case 'quoted':
      return maskUntilQuote(word, before.quote);
    case 'run': {
      const rest = word.replace(/^[A-Za-z0-9_.+/=-]+/, '');
      return rest === '' ? { text: '', carry: before } : maskPlain(rest);
    }
  }
}

function maskPlain(word: string): { text: string; carry: Carry } {
  if (word.length < 6 && !/[=:]/.test(word)) return { text: word, carry: loneName(word) };
  let text = word;
  if (text.includes('://')) text = maskUserInfo(text).replace(HOOK_PATH, `$1${MASK}`);
  if (FORMAT_HINT.test(text)) text = text.replace(secretFormats(), MASK);
  if (/[=:]/.test(text)) return maskNamedValues(text);
  if (/^[("'`[]*bearer$/i.test(text)) return { text, carry: { kind: 'credential', certain: false } };
  return { text, carry: loneName(text) };
}

/** `password` (then `= …`), `--password` (then the value). */
function loneName(word: string): Carry {
  if (!/pass|secret|token|key|auth|cookie|string/i.test(word)) return NOTHING;
  const match = /^(--?)?["'`]?([A-Za-z_][A-Za-z0-9_.-]{1,63})["'`]?$/.exec(word);
  if (!match) return NOTHING;
  const [, dashes, name = ''] = match;
  const kind = kindOfName(name);
  if (kind === 'plain') return NOTHING;
  const style = dashes === undefined && /^[A-Z0-9_]+$/.test(name) ? 'environment' : 'bare';
  return { kind: dashes === undefined ? 'name' : 'value', name: { kind, style } };
}

function maskAfterName(word: string, name: NamedValue): { text: string; carry: Carry } {
  const sign = /^(?::=|=>|[:=])/.exec(word)?.[0];
  if (sign === undefined) return maskPlain(word);
  if (sign.length === word.length) return { text: word, carry: { kind: 'value', name } };
  const { text, carry } = maskValueAtStart(word.slice(sign.length), name);
  return { text: sign + text, carry };
}

/** Values of names inside one word: `a=1&token=x`, `{"apiKey":"x"}`, `PASSWORD=x`. */
function maskNamedValues(word: string): { text: string; carry: Carry } {
  let out = '';
  let copied = 0;
  for (let at = nextSign(word, 0); at !== -1;) {
    const signEnd = word.startsWith(':=', at) || word.startsWith('=>', at) ? at + 2 : at + 1;
    const name = word.startsWith('://', at) ? undefined : nameBefore(word, at);
    if (name === undefined) {
      at = nextSign(word, signEnd);
      continue;
    }
    if (name === 'authorization') {
      const rest = word.slice(signEnd);
      const head = out + word.slice(copied, signEnd);
      if (/^["'`\\]*$/.test(rest)) return { text: head + rest, carry: { kind: 'scheme' } };
      if (SCHEME.test(rest)) return { text: head + rest, carry: { kind: 'credential', certain: true } };
      const masked = maskCredential(rest, false);
      return { text: head + masked.text, carry: masked.carry };
    }
    const value = valueAt(word, signEnd, name);
    if (value.end === null) {
      return { text: out + word.slice(copied, value.start) + value.text, carry: value.carry };
    }
    out += word.slice(copied, value.start) + value.text;
    copied = value.end;
    at = nextSign(word, Math.max(value.end, signEnd));
  }
  return { text: out + word.slice(copied), carry: NOTHING };
}

function maskValueAtStart(word: string, name: NamedValue): { text: string; carry: Carry } {
  const value = valueAt(word, 0, name);
  const head = word.slice(0, value.start) + value.text;
  if (value.end === null) return { text: head, carry: value.carry };
  const rest = word.slice(value.end);
  // What follows in the same word may hold names of its own.
  const tail = rest === '' ? { text: '', carry: NOTHING } : maskPlain(rest);
  return { text: head + tail.text, carry: tail.carry };
}

interface FoundValue {
  readonly start: number;
  /** What stands in place of the value. */
  readonly text: string;
  /** Behind the value; null when it goes on in the next word. */
  readonly end: number | null;
  readonly carry: Carry;
}

function valueAt(word: string, from: number, name: NamedValue): FoundValue {
  const opening = /^\\*["'`]/.exec(word.slice(from, from + 8))?.[0] ?? '';
  const start = from + opening.length;
  if (start >= word.length) {
    const carry: Carry = opening === '' ? { kind: 'value', name } : { kind: 'quoted', quote: opening };
    return { start, text: '', end: null, carry };
  }
  if (opening !== '') {
    const close = closingQuote(word, start, opening);
    const value = word.slice(start, close === -1 ? word.length : close);
    if (close !== -1 && sparesQuoted(value, name)) return { start, text: value, end: close, carry: NOTHING };
    if (close !== -1) return { start, text: MASK, end: close, carry: NOTHING };
    return { start, text: MASK, end: null, carry: { kind: 'quoted', quote: opening } };
  }
  const length = name.style === 'environment' ? -1 : word.slice(start).search(VALUE_END);
  const end = length === -1 ? word.length : start + length;
  const value = word.slice(start, end);
  return { start, text: sparesBare(value, name) ? value : MASK, end, carry: NOTHING };
}

function sparesQuoted(value: string, name: NamedValue): boolean {
  if (isHarmlessLiteral(value) || isVersion(value)) return true;
  return name.kind === 'token' && /^\d{1,9}$/.test(value);
}

function sparesBare(value: string, { kind, style }: NamedValue): boolean {
  if (isHarmlessLiteral(value) || (kind === 'token' && /^\d{1,9}$/.test(value))) return true;
  return style === 'bare' || style === 'quoted' ? !looksLiteral(value, kind) : false;
}

function maskUntilQuote(word: string, quote: string): { text: string; carry: Carry } {
  const close = closingQuote(word, 0, quote);
  if (close === -1) return { text: '', carry: { kind: 'quoted', quote } };
  return maskPlainAfter(word.slice(close, close + quote.length), word.slice(close + quote.length));
}

function maskPlainAfter(head: string, rest: string): { text: string; carry: Carry } {
  if (rest === '') return { text: head, carry: NOTHING };
  const { text, carry } = maskPlain(rest);
  return { text: head + text, carry };
}

/** A quote of the same spelling that is not itself escaped. */
function closingQuote(word: string, from: number, quote: string): number {
  for (let at = word.indexOf(quote, from); at !== -1; at = word.indexOf(quote, at + 1)) {
    if (quote.length > 1 || word.charAt(at - 1) !== '\\') return at;
  }
  return -1;
}

function maskCredential(word: string, certain: boolean): { text: string; carry: Carry } {
  const match = /^([("'`\\]*)([A-Za-z0-9_.~+/=:%-]*)/.exec(word);
  const [whole = '', opening = '', value = ''] = match ?? [];
  const spared = certain
    ? value.length < 4 || isHarmlessLiteral(word)
    : !(value.length >= 16 && /\d/.test(value));
  if (spared) return maskPlain(word);
  return maskPlainAfter(opening + MASK, word.slice(whole.length));
}

function nextSign(word: string, from: number): number {
  for (let at = from; at < word.length; at += 1) {
    const character = word.charAt(at);
    if (character === '=' || character === ':') return at;
  }
  return -1;
}

/** The name that ends before a sign, if its value is a secret. Looks back over a bounded distance. */
function nameBefore(word: string, sign: number): NamedValue | 'authorization' | undefined {
  let end = sign;
  while (end > 0 && sign - end < 4 && /["'`\\?]/.test(word.charAt(end - 1))) end -= 1;
  const quoted = end < sign && word.charAt(sign - 1) !== '?';
  let start = end;
  while (start > 0 && end - start < 65 && /[A-Za-z0-9_.-]/.test(word.charAt(start - 1))) start -= 1;
  if (start === end || end - start > 64) return undefined;
  const name = word.slice(start, end);
  const parameter = /[?&]/.test(word.charAt(start - 1)) && word.charAt(sign) === '=';
  if (/^(?:proxy-)?authorization$/i.test(name)) return 'authorization';
  // `Uid=me;Pwd=x`: elsewhere the name means the working folder.
  const inConnectionString = word.charAt(start - 1) === ';' && /^pwd$/i.test(name);
  const kind = inConnectionString ? 'secret' : kindOfName(name);
  if (kind === 'plain')
    return parameter && isSecretParameter(name) ? { kind: 'secret', style: 'parameter' } : undefined;
  if (inConnectionString) return { kind, style: 'parameter' };
  if (parameter) return { kind, style: 'parameter' };
  if (quoted) return { kind, style: 'quoted' };
  return { kind, style: /^[A-Z0-9_]+$/.test(name) && word.charAt(sign) === '=' ? 'environment' : 'bare' };
}

/** `scheme://user:password@host`: the password. */
function maskUserInfo(word: string): string {
  let out = '';
  let copied = 0;
  for (let at = word.indexOf('://'); at !== -1; at = word.indexOf('://', at + 3)) {
    const start = at + 3;
    const length = word.slice(start, start + 2048).search(/[/?#"'<>`\\]/);
    const end = length === -1 ? Math.min(word.length, start + 2048) : start + length;
    const authority = word.slice(start, end);
    const host = authority.lastIndexOf('@');
    const colon = authority.indexOf(':');
    if (host === -1 || colon === -1 || colon >= host) continue;
    if (isHarmlessLiteral(authority.slice(colon + 1, host))) continue;
    out += word.slice(copied, start + colon + 1) + MASK;
    copied = start + host;
  }
  return out + word.slice(copied);
}
