import type { Config } from '@wrongstack/contracts';
import type { CommonOptions } from './commands/common-options.js';
import type { Environment } from './environment.js';
import { detectCaps, type TerminalCaps } from './terminal/caps.js';
import { escapeJson } from './terminal/headless/json-line.js';
import { line, type Line, wrapLine } from './terminal/lines.js';
import { createTheme, type Look, lookOf, type Theme } from './terminal/theme.js';

/** What the configuration says about looks; flags come before it. */
export type UiSettings = Config['ui'];

/** Where a command's results and remarks go. Results alone on stdout. */
export interface Output {
  readonly caps: TerminalCaps;
  readonly theme: Theme;
  readonly look: Look;
  readonly json: boolean;
  print(lines: readonly Line[]): void;
  /** Plain words, wrapped. */
  say(text: string): void;
  /** A remark for the person: stderr. */
  note(text: string): void;
  writeJson(value: unknown): void;
}

export function createOutput(options: CommonOptions, environment: Environment, ui: UiSettings = {}): Output {
  const { stdout, stderr } = process;
  const caps = capsOf(stdout, options, environment, ui);
  const theme = createTheme(caps);
  const look = lookOf(caps, theme, environment.home);
  const print = (lines: readonly Line[]): void => {
    stdout.write(lines.map((row) => `${theme.paint(row)}\n`).join(''));
  };
  return {
    caps,
    theme,
    look,
    json: options.json === true,
    print,
    say: (text) => print(text.split('\n').flatMap((row) => wrapLine(line(row), columnsOf(look)))),
    note: (text) => void stderr.write(`${text}\n`),
    writeJson: (value) => void stdout.write(`${escapeJson(JSON.stringify(value, null, 2))}\n`),
  };
}

/** What a stream can show; flags come before the environment. */
export function capsOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number },
  options: CommonOptions,
  environment: Pick<Environment, 'all'>,
  ui: UiSettings = {},
): TerminalCaps {
  return detectCaps({
    environment: environment.all,
    tty: stream.isTTY === true,
    ...(stream.columns !== undefined && { columns: stream.columns }),
    ...(stream.rows !== undefined && { rows: stream.rows }),
    flags: {
      ...((options.plain ?? ui.plain) !== undefined && { plain: options.plain ?? ui.plain }),
      ...colorFlag(options, ui),
    },
  });
}

function colorFlag({ color }: CommonOptions, ui: UiSettings): { readonly color?: boolean } {
  // Commander says true where --no-color was not given; only false is an answer.
  if (color === false || ui.color === 'never') return { color: false };
  return ui.color === 'always' ? { color: true } : {};
}

// A pipe has no width: whoever reads it wants whole lines.
function columnsOf(look: Look): number {
  return look.plain ? Number.MAX_SAFE_INTEGER : look.columns;
}
