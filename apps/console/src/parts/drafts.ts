import { useEffect, useState } from 'react';

const PREFIX = 'wrongstack.draft.';

/** What somebody is typing, kept for this tab: a reload, an expired session or a page that broke costs nothing. */
export function readDraft(key: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Null forgets it. A browser that keeps nothing is no reason to stop typing. */
export function keepDraft(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // Full, or switched off.
  }
}

/** As `useState`, and kept. `clear` after it was sent. */
export function useDraft(
  key: string,
  initial: string,
): { readonly text: string; readonly set: (text: string) => void; readonly clear: () => void } {
  const [at, setAt] = useState(key);
  const [text, setText] = useState(() => readDraft(key) ?? initial);
  // Another thing is edited in the same place.
  if (at !== key) {
    setAt(key);
    setText(readDraft(key) ?? initial);
  }
  const dirty = text !== initial;
  useEffect(() => {
    keepDraft(key, dirty ? text : null);
  }, [key, text, dirty]);
  return {
    text,
    set: setText,
    clear: () => {
      keepDraft(key, null);
      setText(initial);
    },
  };
}
