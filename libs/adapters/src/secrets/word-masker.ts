import { FORMAT_HINT, HOOK_PATH, secretFormats } from './secret-formats.js';
import type { NameKind } from './secret-names.js';
import {
  isHarmlessLiteral,
  isOtherName,
  isSecretParameter,
  isTokenOfLanguage,
  isVersion,
  kindOfName,
  looksLiteral,
} from './secret-names.js';

export const MASK = '***';

/** What the end of a word says about the next one. */
export type Carry =
  | { readonly kind: 'nothing' }
  /** `?`: what stands before a colon now is a choice, not a name. */
  | { readonly kind: 'choice' }
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
  /** `encoded`: under a name that means a secret only where its value is Base64 (`auth` of a registry). */
  readonly style: 'environment' | 'parameter' | 'quoted' | 'encoded' | 'bare';
  /** The quote that the name stands in together with its sign: `'Password: '` is a label, and ends with it. */
  readonly label?: string;
}

export const NOTHING: Carry = { kind: 'nothing' };

const SCHEME = /^["'`\\]*(?:bearer|basic|token|digest|apikey|bot)$/i;
const VALUE_END = /[,;&"'`<>)}\]|\\]/;

/** One word with its secrets masked, and what it means for the next. Linear in the length of the word. */
export function maskWord(word: string, before: Carry): { readonly text: string; readonly carry: Carry } {
  switch (before.kind) {
    case 'nothing':
      return maskPlain(word);
    case 'choice': {
      const { text, carry } = maskPlain(word);
      return { text, carry: carry.kind === 'name' ? NOTHING : carry };
    }
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
  if (word === '?') return { text: word, carry: { kind: 'choice' } };
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
  return { kind: dashes === undefined ? 'name' : 'value', name: { kind, style: 'bare' } };
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
  if (opening !== '' && opening === name.label) return { start: from, text: '', end: from, carry: NOTHING };
  const start = from + opening.length;
  if (start >= word.length) {
    const carry: Carry = opening === '' ? { kind: 'value', name } : { kind: 'quoted', quote: opening };
    return { start, text: '', end: null, carry };
  }
  return opening === '' ? bareValueAt(word, start, name) : quotedValueAt(word, start, name, opening);
}

function quotedValueAt(word: string, start: number, name: NamedValue, quote: string): FoundValue {
  const close = closingQuote(word, start, quote);
  const end = close === -1 ? word.length : close;
  const value = word.slice(start, end);
  // Backticks mark code in prose as often as they quote.
  const spared = quote === '`' ? sparesBare(value, { ...name, style: 'bare' }) : sparesQuoted(value, name);
  if (close !== -1) return { start, text: spared ? value : MASK, end, carry: NOTHING };
  // The beginning of a text that is put together, or of code in prose.
  if (/^[$%{<]/.test(value) || quote === '`') return { start, text: value, end, carry: NOTHING };
  return { start, text: MASK, end: null, carry: { kind: 'quoted', quote } };
}

function bareValueAt(word: string, start: number, name: NamedValue): FoundValue {
  const length = word.slice(start).search(name.style === 'environment' ? /["'`]/ : VALUE_END);
  const end = length === -1 ? word.length : start + length;
  const value = word.slice(start, end);
  if (sparesBare(value, name)) return { start, text: value, end, carry: NOTHING };
  // `-e "PASSWORD=x y"`: the value goes on until the quote that stands before its name.
  const quote = name.style === 'environment' && length === -1 ? name.label : undefined;
  if (quote !== undefined) return { start, text: MASK, end: null, carry: { kind: 'quoted', quote } };
  return { start, text: MASK, end, carry: NOTHING };
}

function sparesQuoted(value: string, { kind, style }: NamedValue): boolean {
  if (style === 'encoded') return !/^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]{8,4096}={0,2}$/.test(value);
  if (isHarmlessLiteral(value) || isVersion(value) || isOtherName(value)) return true;
  return kind === 'token' && isTokenOfLanguage(value);
}

function sparesBare(value: string, { kind, style }: NamedValue): boolean {
  if (isHarmlessLiteral(value) || (kind === 'token' && isTokenOfLanguage(value))) return true;
  if (style === 'encoded') return true;
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
  const looksRandom = value.length >= 16 && /\d/.test(value) && !value.includes('://');
  const spared = certain ? value.length < 4 || isHarmlessLiteral(word) : !looksRandom;
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
  if (kind === 'plain') {
    if (parameter && isSecretParameter(name)) return { kind: 'secret', style: 'parameter' };
    return quoted && /^auth$/i.test(name) ? { kind: 'secret', style: 'encoded' } : undefined;
  }
  if (inConnectionString) return { kind, style: 'parameter' };
  if (parameter) return { kind, style: 'parameter' };
  if (quoted) return { kind, style: 'quoted' };
  const opened = word.charAt(start - 1);
  const label = /["'`]/.test(opened) ? opened : undefined;
  return {
    label,
    kind,
    style: /^[A-Z0-9_]+$/.test(name) && word.charAt(sign) === '=' ? 'environment' : 'bare',
  };
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
