import { malformed } from './patch-lines.js';

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** The name in a `---`, `+++`, `rename from` … line: quoted as git does, or up to a tab (what follows is a time stamp). */
export function readName(text: string, line: number): string {
  if (!text.startsWith('"')) return text.split('\t')[0]?.trimEnd() ?? '';
  const { name, rest } = unquote(text, line);
  if (rest.trim() !== '' && !rest.startsWith('\t')) throw malformed('text follows the quoted name', line);
  return name;
}

export function unquote(text: string, line: number): { readonly name: string; readonly rest: string } {
  const bytes: number[] = [];
  let index = 1;
  while (index < text.length && text[index] !== '"') {
    const point = text.codePointAt(index) ?? 0;
    if (text[index] !== '\\') {
      bytes.push(...Buffer.from(String.fromCodePoint(point), 'utf8'));
      index += point > 0xffff ? 2 : 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(index + 1))?.[0];
    const escape = ESCAPES[text[index + 1] ?? ''];
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escape !== undefined) bytes.push(escape);
    else throw malformed('the quoted name has an unknown escape', line);
    index += octal === undefined ? 2 : 4;
  }
  if (index >= text.length) throw malformed('the quoted name is not closed', line);
  return { name: Buffer.from(bytes).toString('utf8'), rest: text.slice(index + 1) };
}

/** The two names of `diff --git a/x b/x`; null where spaces leave it open which is which. */
export function gitHeaderNames(text: string, line: number): readonly [string, string] | null {
  if (text.startsWith('"')) {
    const { name, rest } = unquote(text, line);
    return [name, readName(rest.trimStart(), line)];
  }
  if (text.endsWith('"')) {
    const start = text.indexOf(' "');
    return start === -1 ? null : [text.slice(0, start), readName(text.slice(start + 1), line)];
  }
  const words = text.split(' ');
  if (words.length === 2) return [words[0] ?? '', words[1] ?? ''];
  // Without a rename both halves name the same file.
  const half = (text.length - 1) / 2;
  const [left, right] = [text.slice(0, half), text.slice(half + 1)];
  return text[half] === ' ' && left.slice(2) === right.slice(2) ? [left, right] : null;
}

const ABSENT = '/dev/null';

export interface Names {
  /** Null = the file does not exist on this side. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Names without git's one-letter prefixes. They are prefixes only where both sides have a pair of them: `a/x` on both
 * sides is a folder of that name.
 */
export function withoutPrefixes(before: string, after: string): Names {
  const left = before === ABSENT ? null : before;
  const right = after === ABSENT ? null : after;
  const pair = `${left === null ? '' : left.slice(0, 2)}|${right === null ? '' : right.slice(0, 2)}`;
  const prefixed = /^(?:a\/|)\|(?:b\/|)$|^[ciow]\/\|[ciow]\/$/.test(pair) && pair !== '|';
  const cut = (name: string | null): string | null => (name === null || !prefixed ? name : name.slice(2));
  return { before: cut(left), after: cut(right) };
}
