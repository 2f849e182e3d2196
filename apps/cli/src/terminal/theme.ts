import type { TerminalCaps } from './caps.js';
import type { Line, Tone } from './lines.js';

/** Marks of states. Each is always followed by a word: a mark alone says nothing to a screen reader. */
export interface Marks {
  readonly ok: string;
  readonly failed: string;
  readonly denied: string;
  readonly asks: string;
  readonly warning: string;
  readonly stopped: string;
  readonly waiting: string;
  readonly more: string;
  readonly ellipsis: string;
  /** Between the facts of one line. */
  readonly dot: string;
  readonly rule: string;
  readonly arrow: string;
  readonly spinner: readonly string[];
}

const UNICODE_MARKS: Marks = {
  ok: '✓',
  failed: '✗',
  denied: '⊘',
  asks: '?',
  warning: '!',
  stopped: '■',
  waiting: '⏸',
  more: '⋯',
  ellipsis: '…',
  dot: ' · ',
  rule: '─',
  arrow: '→',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const ASCII_MARKS: Marks = {
  ok: '+',
  failed: 'x',
  denied: '/',
  asks: '?',
  warning: '!',
  stopped: '#',
  waiting: '=',
  more: '...',
  ellipsis: '...',
  dot: ', ',
  rule: '-',
  arrow: '->',
  spinner: ['|', '/', '-', '\\'],
};

/** Attributes (1 bold, 2 dim, 7 reverse) and colours (30-37) of each tone. The terminal's own theme decides what red is. */
const SGR: Readonly<Record<Tone, { readonly attribute: number | null; readonly color: number | null }>> = {
  text: { attribute: null, color: null },
  strong: { attribute: 1, color: null },
  meta: { attribute: 2, color: null },
  ok: { attribute: null, color: 32 },
  added: { attribute: null, color: 32 },
  failed: { attribute: null, color: 31 },
  removed: { attribute: null, color: 31 },
  denied: { attribute: 1, color: 31 },
  asks: { attribute: null, color: 33 },
  loud: { attribute: 7, color: null },
  warning: { attribute: 2, color: 33 },
};

export interface Theme {
  readonly marks: Marks;
  /** The line as bytes for the terminal. */
  paint(row: Line): string;
}

export function createTheme(caps: Pick<TerminalCaps, 'color' | 'unicode' | 'plain' | 'tty'>): Theme {
  const codes = new Map<Tone, string>();
  const codeOf = (tone: Tone): string => {
    const known = codes.get(tone);
    if (known !== undefined) return known;
    const { attribute, color } = SGR[tone];
    // NO_COLOR takes colour away and leaves bold; plain takes attributes away, and colour too unless it was asked for.
    const code = [caps.plain ? null : attribute, caps.color ? color : null]
      .filter((part) => part !== null)
      .join(';');
    codes.set(tone, code);
    return code;
  };
  return {
    marks: caps.unicode ? UNICODE_MARKS : ASCII_MARKS,
    paint: (row) =>
      row
        .map(({ text, tone }) => {
          const code = codeOf(tone);
          return code === '' || text === '' ? text : `\x1b[${code}m${text}\x1b[0m`;
        })
        .join(''),
  };
}

/** Wider than any line. */
export const NO_WIDTH = Number.MAX_SAFE_INTEGER;

/** What functions from data to lines need to know about the place where they will be shown. */
export interface Look {
  readonly marks: Marks;
  /** {@link NO_WIDTH} where lines are not to be broken. */
  readonly columns: number;
  readonly plain: boolean;
  readonly unicode: boolean;
  /** The person's home folder, shown as `~`; null = never shortened. */
  readonly home: string | null;
}

export function lookOf(caps: TerminalCaps, theme: Theme, home: string | null): Look {
  return {
    marks: theme.marks,
    // A pipe has no width: whoever reads it wants whole lines. On a terminal the last column stays empty, since a
    // character there makes terminals wrap at different moments.
    columns: caps.tty ? Math.max(20, caps.columns - 1) : NO_WIDTH,
    plain: caps.plain,
    unicode: caps.unicode,
    home,
  };
}
