/**
 * One path segment of a glob: `*`, `?`, `[a-z]`, `[!a]`, backslash escapes. Matching never backtracks further than the
 * last star, so no pattern is slow: segments come from a model, file names from anywhere.
 */
export type SegmentTest = (name: string) => boolean;

type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'literal'; readonly character: string }
  | {
      readonly kind: 'class';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** `brackets: 'either'` also takes a bracket as itself: folders are called `[id]` in many web projects. */
export function compileSegment(segment: string, brackets: 'class' | 'either'): SegmentTest {
  const test = compileTokens(tokenize(segment, true));
  if (brackets === 'class' || !segment.includes('[')) return test;
  const literal = compileTokens(tokenize(segment, false));
  return (name) => test(name) || literal(name);
}

/** Almost all segments are a name, `*`, `*.end` or `start*`: these are one comparison, without taking the name apart. */
function compileTokens(tokens: readonly Token[]): SegmentTest {
  const stars = tokens.filter((token) => token.kind === 'star').length;
  const characters = tokens.flatMap((token) => (token.kind === 'literal' ? [token.character] : []));
  if (stars + characters.length === tokens.length && stars <= 1) {
    const text = characters.join('');
    if (stars === 0) return (name) => name === text;
    if (tokens[0]?.kind === 'star') return (name) => name.endsWith(text);
    if (tokens.at(-1)?.kind === 'star') return (name) => name.startsWith(text);
  }
  return (name) => matches(tokens, Array.from(name));
}

/** Whether a segment stands for more than its own text. */
export function hasMagic(segment: string): boolean {
  return /[*?[\\{]/.test(segment);
}

function tokenize(segment: string, classes: boolean): Token[] {
  const characters = Array.from(segment);
  const tokens: Token[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    const group = classes && character === '[' ? readClass(characters, index) : null;
    if (group !== null) {
      tokens.push(group.token);
      index = group.end;
    } else if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') {
      tokens.push({ kind: 'any' });
    } else if (character === '\\' && index + 1 < characters.length) {
      index += 1;
      tokens.push({ kind: 'literal', character: characters[index] ?? '' });
    } else {
      tokens.push({ kind: 'literal', character });
    }
  }
  return tokens;
}

/** From `[` to its `]`; null when there is none, and the bracket is itself then. */
function readClass(characters: readonly string[], start: number): { token: Token; end: number } | null {
  let index = start + 1;
  const negated = characters[index] === '!' || characters[index] === '^';
  if (negated) index += 1;
  const ranges: [string, string][] = [];
  for (let first = true; index < characters.length; first = false, index += 1) {
    let character = characters[index] ?? '';
    if (character === ']' && !first) return { token: { kind: 'class', negated, ranges }, end: index };
    if (character === '\\') character = characters[(index += 1)] ?? '';
    const last = characters[index + 2];
    if (characters[index + 1] === '-' && last !== undefined && last !== ']') {
      ranges.push([character, last]);
      index += 2;
    } else {
      ranges.push([character, character]);
    }
  }
  return null;
}

function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current?.kind === 'star') {
      star = token;
      resume = at;
      token += 1;
    } else if (current !== undefined && matchesOne(current, name[at] ?? '')) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      token = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === 'star') token += 1;
  return token === tokens.length;
}

function matchesOne(token: Exclude<Token, { kind: 'star' }>, character: string): boolean {
  switch (token.kind) {
    case 'any':
      return true;
    case 'literal':
      return token.character === character;
    case 'class':
      return token.negated !== token.ranges.some(([low, high]) => low <= character && character <= high);
  }
}
