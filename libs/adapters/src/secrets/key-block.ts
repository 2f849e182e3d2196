import { MASK } from './word-masker.js';

/** A key block that never ends stops hiding text after so much of it; real ones are far shorter. */
const LONGEST_BLOCK = 64 * 1024;

type State =
  | { readonly kind: 'outside' }
  /** Behind `-----BEGIN`; counts the words of the title. */
  | { readonly kind: 'title'; readonly words: number; readonly isPrivate: boolean }
  /** `header`: in a line such as `DEK-Info: …`. */
  | { readonly kind: 'body'; readonly hidden: number; readonly header: boolean; readonly lineStart: boolean };

const OUTSIDE: State = { kind: 'outside' };

/**
 * Hides the body of private key blocks, word by word. What cannot be part of a body ends it: sources and manuals name
 * the first line of such blocks without a key behind it.
 */
export class KeyBlock {
  private state: State = OUTSIDE;

  /** The word as it is shown, or undefined when this is none of a block. `rest` is to be looked at as ordinary text. */
  word(text: string): { readonly shown: string; readonly rest: string } | undefined {
    switch (this.state.kind) {
      case 'outside': {
        const begin = text.indexOf('-----BEGIN');
        if (begin === -1) return undefined;
        this.state = { kind: 'title', words: 0, isPrivate: false };
        return { shown: text.slice(begin), rest: text.slice(0, begin) };
      }
      case 'title':
        return this.title(text, this.state);
      case 'body':
        return this.body(text);
    }
  }

  /** Whether the separator is shown. */
  separator(text: string): boolean {
    const { state } = this;
    if (state.kind !== 'body') return true;
    const lineEnd = text === '\n' || text === '\r';
    this.state = { ...state, lineStart: lineEnd, header: state.header && !lineEnd };
    return lineEnd || state.hidden === 0;
  }

  /** `RSA PRIVATE KEY-----`; in JSON the body follows in the same word, behind a written-out `\n`. */
  private title(
    text: string,
    { words, isPrivate }: Extract<State, { kind: 'title' }>,
  ): { shown: string; rest: string } {
    const end = text.indexOf('-----');
    if (end === -1) {
      const next = { kind: 'title', words: words + 1, isPrivate: isPrivate || text === 'PRIVATE' } as const;
      this.state = words >= 6 ? OUTSIDE : next;
      return { shown: text, rest: '' };
    }
    const shown = text.slice(0, end + 5);
    const rest = text.slice(end + 5);
    if (!isPrivate) {
      this.state = OUTSIDE;
      return { shown: text, rest: '' };
    }
    this.state = { kind: 'body', hidden: 0, header: false, lineStart: true };
    if (rest === '') return { shown, rest: '' };
    const body = /[A-Za-z0-9]/.test(rest) ? this.body(rest) : this.leave(rest);
    return { shown: shown + body.shown + body.rest, rest: '' };
  }

  private body(text: string): { shown: string; rest: string } {
    const { state } = this;
    if (state.kind !== 'body') return { shown: '', rest: text };
    const mask = state.hidden === 0 ? MASK : '';
    const end = text.indexOf('-----END');
    if (end !== -1) {
      this.state = OUTSIDE;
      return { shown: (end > 0 ? mask : '') + text.slice(end), rest: '' };
    }
    if (!isBodyWord(text, state) || state.hidden + text.length > LONGEST_BLOCK) return this.leave(text);
    const header = state.header || (state.lineStart && isHeaderName(text));
    this.state = { kind: 'body', hidden: state.hidden + text.length, header, lineStart: false };
    return { shown: mask, rest: '' };
  }

  private leave(text: string): { shown: string; rest: string } {
    this.state = OUTSIDE;
    return { shown: '', rest: text };
  }
}

function isHeaderName(text: string): boolean {
  return /^(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID):$/.test(text);
}

/** Base64, also as string literals that are put together; short words only where a last line may stand. */
function isBodyWord(text: string, state: Extract<State, { kind: 'body' }>): boolean {
  if (state.header || (state.lineStart && isHeaderName(text))) return true;
  if (/^[+"'`,\\|]+$/.test(text)) return true;
  if (!/^["'`]?[A-Za-z0-9+/=\\]+["'`,;\\]{0,3}$/.test(text)) return false;
  return state.lineStart || text.length >= 16;
}
