import { shorten, type GrepFile, type GrepLine, type GrepQuery } from './grep-query.js';

export interface GrepEvents {
  readonly query: GrepQuery;
  readonly skips: (path: string) => boolean;
  /** Called once a file that has matches. `stop` = enough. */
  readonly onFile: (file: GrepFile) => 'more' | 'stop';
  readonly onBinary: (path: string) => void;
}

/** Puts the events of ripgrep's `--json` together, file by file. Holds no more of a file than can be shown. */
export class GrepEventReader {
  /** Ripgrep has come to its end; without it, it did not search at all. */
  summary = false;
  private path = '';
  private skipped = false;
  private matches = 0;
  private lines: GrepLine[] = [];

  constructor(private readonly events: GrepEvents) {}

  take(record: Buffer): 'more' | 'stop' {
    const event = parse(record);
    const data = member(event, 'data');
    switch (member(event, 'type')) {
      case 'begin':
        this.begin(textOrBytes(member(data, 'path')).replace(/^\.\//, ''));
        return 'more';
      case 'match':
        this.matches += 1;
        this.keep(data, true);
        return 'more';
      case 'context':
        this.keep(data, false);
        return 'more';
      case 'end':
        return this.end(data);
      case 'summary':
        this.summary = true;
        return 'more';
      default:
        return 'more';
    }
  }

  private begin(path: string): void {
    this.path = path;
    this.skipped = this.events.skips(path);
    this.matches = 0;
    this.lines = [];
  }

  private keep(data: unknown, match: boolean): void {
    const { mode, limit } = this.events.query;
    if (this.skipped || mode !== 'content' || this.matches > limit + 1) return;
    this.lines.push(lineOf(data, match));
  }

  private end(data: unknown): 'more' | 'stop' {
    const { path, matches, lines } = this;
    this.lines = [];
    if (this.skipped || matches === 0) return 'more';
    // The offset is set where a zero byte was found: the file is binary, and its lines are no lines of text.
    if (typeof member(data, 'binary_offset') === 'number') {
      this.events.onBinary(path);
      return 'more';
    }
    return this.events.onFile({ path, matches, lines });
  }
}

function lineOf(data: unknown, match: boolean): GrepLine {
  const number = member(data, 'line_number');
  return {
    number: typeof number === 'number' ? number : 0,
    text: shorten(textOrBytes(member(data, 'lines')).replace(/\r?\n$/, '')),
    match,
  };
}

/** `{ text }`, or `{ bytes }` in base64 for what is no UTF-8. */
function textOrBytes(value: unknown): string {
  const text = member(value, 'text');
  if (typeof text === 'string') return text;
  const bytes = member(value, 'bytes');
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString('latin1') : '';
}

function parse(record: Buffer): unknown {
  try {
    return JSON.parse(record.toString('utf8'));
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
