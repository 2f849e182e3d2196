import { nextBoundary, previousBoundary } from './graphemes.js';

/** The text being written, and where in it (an index at a grapheme boundary). */
export interface Draft {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY_DRAFT: Draft = { text: '', cursor: 0 };

export function draftOf(text: string): Draft {
  return { text, cursor: text.length };
}

export function insert(draft: Draft, text: string): Draft {
  const clean = text.replace(/\r\n?/g, '\n');
  return {
    text: draft.text.slice(0, draft.cursor) + clean + draft.text.slice(draft.cursor),
    cursor: draft.cursor + clean.length,
  };
}

export function deleteBack(draft: Draft): Draft {
  return removeRange(draft, previousBoundary(draft.text, draft.cursor), draft.cursor);
}

export function deleteForward(draft: Draft): Draft {
  return removeRange(draft, draft.cursor, nextBoundary(draft.text, draft.cursor));
}

export function moveLeft(draft: Draft): Draft {
  return { ...draft, cursor: previousBoundary(draft.text, draft.cursor) };
}

export function moveRight(draft: Draft): Draft {
  return { ...draft, cursor: nextBoundary(draft.text, draft.cursor) };
}

export function moveWordLeft(draft: Draft): Draft {
  const before = draft.text.slice(0, draft.cursor);
  return { ...draft, cursor: before.replace(/[^\s]+\s*$|\s+$/u, '').length };
}

export function moveWordRight(draft: Draft): Draft {
  const word = /^\s*\S+/u.exec(draft.text.slice(draft.cursor));
  return { ...draft, cursor: word === null ? draft.text.length : draft.cursor + word[0].length };
}

export function moveLineStart(draft: Draft): Draft {
  return { ...draft, cursor: lineStart(draft) };
}

export function moveLineEnd(draft: Draft): Draft {
  return { ...draft, cursor: lineEnd(draft) };
}

export function deleteWordBack(draft: Draft): Draft {
  return removeRange(draft, moveWordLeft(draft).cursor, draft.cursor);
}

export function deleteToLineStart(draft: Draft): Draft {
  return removeRange(draft, lineStart(draft), draft.cursor);
}

export function deleteToLineEnd(draft: Draft): Draft {
  const end = lineEnd(draft);
  return removeRange(draft, draft.cursor, end === draft.cursor ? Math.min(end + 1, draft.text.length) : end);
}

/** One line up, or null on the first: the caller then goes through the history. */
export function moveUp(draft: Draft): Draft | null {
  const start = lineStart(draft);
  if (start === 0) return null;
  const column = draft.cursor - start;
  const above = draft.text.lastIndexOf('\n', start - 2) + 1;
  return { ...draft, cursor: snapped(draft.text, Math.min(above + column, start - 1)) };
}

export function moveDown(draft: Draft): Draft | null {
  const end = lineEnd(draft);
  if (end === draft.text.length) return null;
  const column = draft.cursor - lineStart(draft);
  const belowEnd = draft.text.indexOf('\n', end + 1);
  const last = belowEnd < 0 ? draft.text.length : belowEnd;
  return { ...draft, cursor: snapped(draft.text, Math.min(end + 1 + column, last)) };
}

function lineStart(draft: Draft): number {
  return draft.text.lastIndexOf('\n', draft.cursor - 1) + 1;
}

function lineEnd(draft: Draft): number {
  const end = draft.text.indexOf('\n', draft.cursor);
  return end < 0 ? draft.text.length : end;
}

function removeRange(draft: Draft, from: number, to: number): Draft {
  return { text: draft.text.slice(0, from) + draft.text.slice(to), cursor: from };
}

// A column of one line may lie inside a character of another.
function snapped(text: string, index: number): number {
  let boundary = text.lastIndexOf('\n', index - 1) + 1;
  while (boundary < index) {
    const next = nextBoundary(text, boundary);
    if (next > index) break;
    boundary = next;
  }
  return boundary;
}
