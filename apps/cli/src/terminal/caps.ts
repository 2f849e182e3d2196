/** The environment as handed in by the app: this folder never reads it itself. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** What the terminal at hand can do. `plain` = no cursor movement, spinner or bold: lines only. */
export interface TerminalCaps {
  readonly tty: boolean;
  readonly color: boolean;
  readonly unicode: boolean;
  readonly plain: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface CapsQuestion {
  readonly environment: EnvironmentRecord;
  readonly tty: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** `--plain`, and `--color` / `--no-color`; undefined = not given. */
  readonly flags?: { readonly plain?: boolean; readonly color?: boolean };
  readonly platform?: string;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

export function detectCaps(question: CapsQuestion): TerminalCaps {
  const { environment, tty, flags = {} } = question;
  const dumb = environment['TERM'] === 'dumb';
  // no-color.org: set and not empty, whatever the value.
  const noColor = (environment['NO_COLOR'] ?? '') !== '';
  return {
    tty,
    color: flags.color ?? (tty && !noColor && !dumb && flags.plain !== true),
    unicode: speaksUnicode(environment, question.platform),
    plain: flags.plain === true || !tty || dumb,
    columns: sensible(question.columns, DEFAULT_COLUMNS),
    rows: sensible(question.rows, DEFAULT_ROWS),
  };
}

function speaksUnicode(environment: EnvironmentRecord, platform: string | undefined): boolean {
  if (platform === 'win32') return (environment['WT_SESSION'] ?? environment['TERM_PROGRAM'] ?? '') !== '';
  // The first of these that is set decides, as in setlocale(3).
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || '';
  return /utf-?8/i.test(locale);
}

// A pty without a size reports 0: nothing can be laid out in that.
function sensible(value: number | undefined, fallback: number): number {
  return value !== undefined && Number.isInteger(value) && value > 0 ? value : fallback;
}
