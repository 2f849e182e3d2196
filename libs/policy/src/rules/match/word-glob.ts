/** Decides about one word, name or path segment. Runs in time linear in the text for each star. */
export type TextTest = (text: string) => boolean;

/**
 * A glob over one word: `*` stands for any characters, `\x` for the character x, everything else for itself.
 *
 * Not built on regular expressions: patterns also come from repositories that nobody has vetted, and neither a pattern
 * that backtracks for minutes nor one that smuggles in a class or an anchor may exist.
 */
export function compileWordGlob(pattern: string): TextTest {
  const pieces = splitAtStars(pattern);
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  if (first === '' && last === '' && rest.every((piece) => piece === '')) return () => true;
  const middles = rest.filter((piece) => piece !== '');
  const shortest = pieces.reduce((length, piece) => length + piece.length, 0);

  return (text) => {
    if (text.length < shortest || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const middle of middles) {
      const found = text.indexOf(middle, at);
      if (found === -1 || found + middle.length > end) return false;
      at = found + middle.length;
    }
    return true;
  };
}

/** The literal text of a pattern without stars, or null where it has one. */
export function literalOf(pattern: string): string | null {
  const pieces = splitAtStars(pattern);
  return pieces.length === 1 ? (pieces[0] ?? null) : null;
}

function splitAtStars(pattern: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '*') {
      pieces.push(piece);
      piece = '';
      continue;
    }
    // A backslash at the very end has nothing to escape and stands for itself.
    const escaped = character === '\\' && at + 1 < pattern.length;
    if (escaped) at++;
    piece += escaped ? pattern.charAt(at) : character;
  }
  return [...pieces, piece];
}

/** Matches when any of the patterns does. */
export function compileWordGlobs(patterns: readonly string[]): TextTest {
  const literals = new Set<string>();
  const globs: TextTest[] = [];
  for (const pattern of patterns) {
    const literal = literalOf(pattern);
    if (literal === null) globs.push(compileWordGlob(pattern));
    else literals.add(literal);
  }
  // The hot path of every rule: no closure and no array is made while testing.
  const [only] = literals;
  const isLiteral: TextTest = literals.size <= 1 ? (text) => text === only : (text) => literals.has(text);
  if (globs.length === 0) return isLiteral;
  return (text) => {
    if (isLiteral(text)) return true;
    for (const test of globs) if (test(text)) return true;
    return false;
  };
}
