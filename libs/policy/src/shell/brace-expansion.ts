/**
 * Brace expansion on source text, as bash does it: before every other expansion. `null` = too many words, or a form we do
 * not expand; the caller then treats the word as not static.
 */
export function expandBraces(text: string, limit: number): string[] | null {
  const budget = { left: limit };
  return expand(text, budget, 0);
}

interface Budget {
  left: number;
}

function expand(text: string, budget: Budget, depth: number): string[] | null {
  if (depth > 16) return null;
  const found = firstBraces(text);
  if (found === null) return [text];
  const head = text.slice(0, found.open);
  const inside =
    found.commas.length > 0 ? alternatives(text, found) : sequence(text.slice(found.open + 1, found.close));
  if (inside === null) return null;
  const tails = expand(text.slice(found.close + 1), budget, depth + 1);
  if (tails === null) return null;
  const results: string[] = [];
  for (const one of inside) {
    const middles = expand(one, budget, depth + 1);
    if (middles === null) return null;
    for (const middle of middles) {
      for (const tail of tails) {
        if (--budget.left < 0) return null;
        results.push(head + middle + tail);
      }
    }
  }
  return results;
}

interface Braces {
  readonly open: number;
  readonly close: number;
  readonly commas: readonly number[];
}

/** The first pair of unquoted braces with a comma or `..` at its own level. */
function firstBraces(text: string): Braces | null {
  const stack: { open: number; commas: number[] }[] = [];
  const pairs: Braces[] = [];
  for (let at = 0; at < text.length; at++) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) {
      at = skipped - 1;
      continue;
    }
    const top = stack.at(-1);
    if (text[at] === '{') stack.push({ open: at, commas: [] });
    else if (text[at] === ',') top?.commas.push(at);
    else if (text[at] === '}' && top !== undefined) {
      stack.pop();
      if (top.commas.length > 0 || text.slice(top.open, at).includes('..')) {
        pairs.push({ open: top.open, close: at, commas: top.commas });
      }
    }
  }
  return pairs.reduce<Braces | null>(
    (first, pair) => (first === null || pair.open < first.open ? pair : first),
    null,
  );
}

/** Past an escape or a quoted stretch that starts here; `at` itself when none does. */
function skipQuoted(text: string, at: number): number {
  const character = text[at];
  if (character === '\\') return at + 2;
  if (character === "'") return pastQuote(text, at, "'", false);
  if (character === '"') return pastQuote(text, at, '"', true);
  if (character === '$' && text[at + 1] === "'") return pastQuote(text, at + 1, "'", true);
  return at;
}

function pastQuote(text: string, open: number, quote: string, escapes: boolean): number {
  for (let at = open + 1; at < text.length; at++) {
    if (escapes && text[at] === '\\') at++;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

function alternatives(text: string, braces: Braces): string[] {
  const edges = [braces.open, ...braces.commas, braces.close];
  return edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));
}

const MAX_SEQUENCE = 256;

/** `1..5`, `a..e`, `01..10..3`. Anything else is not expanded by bash either, but then the word is odd enough to distrust. */
function sequence(inside: string): string[] | null {
  const parts = inside.split('..');
  const [from = '', to = '', step = '1'] = parts;
  if (parts.length > 3 || !/^-?\d+$/.test(step)) return null;
  const numbers = /^-?\d{1,9}$/.test(from) && /^-?\d{1,9}$/.test(to);
  const letters = /^[A-Za-z]$/.test(from) && /^[A-Za-z]$/.test(to);
  if (!numbers && !letters) return null;
  const first = numbers ? Number(from) : from.charCodeAt(0);
  const last = numbers ? Number(to) : to.charCodeAt(0);
  const by = Math.max(1, Math.abs(Number(step)));
  if (Math.abs(last - first) / by > MAX_SEQUENCE) return null;
  const width =
    numbers && [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  const results: string[] = [];
  for (let at = first; first <= last ? at <= last : at >= last; at += first <= last ? by : -by) {
    results.push(numbers ? padded(at, width) : String.fromCharCode(at));
  }
  return results;
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, '0');
  return value < 0 ? `-${digits}` : digits;
}
