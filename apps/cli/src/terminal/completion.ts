import type { Draft } from './draft.js';

export interface Suggestion {
  /** What is put into the draft, without `/` or `@`. */
  readonly value: string;
  readonly description?: string;
}

/** What a menu could complete at the cursor: a command at the start of the draft, or a file after `@`. */
export type CompletionTarget =
  | { readonly kind: 'command'; readonly prefix: string; readonly from: number }
  | { readonly kind: 'file'; readonly prefix: string; readonly from: number };

export const MENU_ROWS = 8;

export function completionTarget(draft: Draft): CompletionTarget | null {
  const before = draft.text.slice(0, draft.cursor);
  const command = /^\/([a-z0-9_-]*)$/i.exec(before);
  if (command !== null) return { kind: 'command', prefix: command[1] ?? '', from: 1 };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (file === null) return null;
  const prefix = file[1] ?? '';
  return { kind: 'file', prefix, from: draft.cursor - prefix.length };
}

/** Prefix matches first, then those where a word starts with it; nothing fuzzy, nothing in the middle of a word. */
export function matching(suggestions: readonly Suggestion[], prefix: string): Suggestion[] {
  const wanted = prefix.toLowerCase();
  const starts = suggestions.filter(({ value }) => value.toLowerCase().startsWith(wanted));
  const words = suggestions.filter(
    ({ value }) => !value.toLowerCase().startsWith(wanted) && startsAWord(value.toLowerCase(), wanted),
  );
  return [...starts, ...words];
}

function startsAWord(value: string, wanted: string): boolean {
  for (let at = value.indexOf(wanted, 1); at > 0; at = value.indexOf(wanted, at + 1)) {
    if (/[^\p{L}\p{N}]/u.test(value.charAt(at - 1))) return true;
  }
  return false;
}

export function complete(draft: Draft, target: CompletionTarget, value: string): Draft {
  const tail = draft.text.slice(draft.cursor);
  // A folder invites the next part of the path, everything else is done.
  const gap = value.endsWith('/') || tail.startsWith(' ') ? '' : ' ';
  const head = draft.text.slice(0, target.from) + value + gap;
  return { text: head + tail, cursor: head.length };
}
