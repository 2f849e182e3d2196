import { WrongStackError } from '@wrongstack/contracts';
import { lineOf } from '../text/line-endings.js';
import { findMatch, type Indent, type Match, type Span } from './find-match.js';
import { replacementFor } from './replace-span.js';

export interface EditRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export interface Edited {
  readonly text: string;
  readonly replaced: number;
  /** The leniency under which the text was found, where it was not there to the letter. */
  readonly how: string | null;
}

const MOST_NAMED_LINES = 12;

/** Pure. `display` is for messages. Throws `edit.not_found`, `edit.ambiguous`, `edit.no_change`. */
export function applyEdit(source: string, request: EditRequest, display: string): Edited {
  if (request.oldText === request.newText) throw noChange('old_string and new_string are the same');
  const match = findMatch(source, request.oldText);
  const { spans, indent, how } = chosen(match, source, request, display);
  let text = '';
  let from = 0;
  for (const span of spans) {
    text += source.slice(from, span.start) + replace(source, span, request, indent);
    from = span.end;
  }
  text += source.slice(from);
  if (text === source) throw noChange(`the change leaves ${display} as it is`);
  return { text, replaced: spans.length, how };
}

interface Chosen {
  readonly spans: readonly Span[];
  readonly indent: Indent | null;
  readonly how: string | null;
}

function chosen(match: Match, source: string, request: EditRequest, display: string): Chosen {
  switch (match.kind) {
    case 'exact':
      if (match.spans.length > 1 && !request.replaceAll) throw ambiguous(source, match.spans, display, null);
      return { spans: match.spans, indent: null, how: null };
    case 'fuzzy':
      return { spans: [match.span], indent: match.indent, how: match.how };
    case 'ambiguous':
      throw ambiguous(source, match.spans, display, match.how);
    case 'none':
      throw new WrongStackError(
        'edit.not_found',
        `old_string is not in ${display}: read the file and copy the text to replace exactly`,
      );
  }
}

/** A file that ends without a line ending keeps ending so, also when both texts were sent with one. */
function replace(source: string, span: Span, request: EditRequest, indent: Indent | null): string {
  const atOpenEnd = span.end === source.length && !/[\r\n]$/.test(source.slice(span.start, span.end));
  const both = request.oldText.endsWith('\n') && request.newText.endsWith('\n');
  const cut = (text: string): string => (atOpenEnd && both ? text.slice(0, -1) : text);
  return replacementFor(source, span, cut(request.oldText), cut(request.newText), indent);
}

function ambiguous(
  source: string,
  spans: readonly Span[],
  display: string,
  how: string | null,
): WrongStackError {
  const named = spans.slice(0, MOST_NAMED_LINES).map((span) => lineOf(source, span.start));
  const more = spans.length > named.length ? ', …' : '';
  const found = how === null ? 'found' : `found (${how})`;
  return new WrongStackError(
    'edit.ambiguous',
    `old_string is ${found} ${spans.length} times in ${display}, at lines ${named.join(', ')}${more}: add lines around it${how === null ? ', or set replace_all' : ''}`,
  );
}

function noChange(message: string): WrongStackError {
  return new WrongStackError('edit.no_change', `${message}: nothing to do`);
}
