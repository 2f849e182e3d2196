import { WrongStackError } from '@wrongstack/contracts';
import { unify } from '../text/line-endings.js';

/** A short text that becomes a long one many times over must not use up the memory. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** A search that finds a text to the letter; a line ending in it is any line ending. */
export interface LiteralSearch {
  readonly search: string;
  readonly replacement: string;
  readonly caseSensitive: boolean;
}

/** Pure. `count` 0 = the text is not there. `$` in the replacement means nothing. */
export function replaceLiteral(
  source: string,
  { search, replacement, caseSensitive }: LiteralSearch,
): { readonly text: string; readonly count: number } {
  const crlf = search.includes('\n') && source.includes('\r\n');
  const wanted = crlf ? withCrlf(search) : search;
  const next =
    crlf || (replacement.includes('\n') && source.includes('\r\n')) ? withCrlf(replacement) : replacement;
  const pattern = new RegExp(escapePattern(wanted), caseSensitive ? 'gu' : 'giu');
  let count = 0;
  const found = source.match(pattern)?.length ?? 0;
  if (source.length + found * next.length > MOST_CHARACTERS) {
    throw new WrongStackError(
      'replace.too_large',
      `${found} replacements would make more than ${MOST_CHARACTERS} characters of one file: nothing was changed`,
    );
  }
  const text = source.replace(pattern, () => {
    count += 1;
    return next;
  });
  return { text, count };
}

function withCrlf(text: string): string {
  return unify(text).text.replace(/\n/g, '\r\n');
}

/** No quantifier remains, so matching is linear. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
