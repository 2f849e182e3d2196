import type { Clock, LogLevel, Logger, SecretScrubber } from '@wrongstack/contracts';
import { isoNow, systemClock } from '@wrongstack/contracts';

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
/** Fields hold ids and numbers; a long text in one of them is a payload that got lost. UTF-16 units. */
const LONGEST_TEXT = 2_000;
const DEEPEST = 8;

export interface JsonLoggerOptions {
  /** The least severe level that is written. */
  readonly level: LogLevel;
  /** One line with its newline. */
  readonly write: (line: string) => void;
  readonly scrubber: SecretScrubber;
  readonly clock?: Clock;
  /** Fields of every line. */
  readonly bindings?: Readonly<Record<string, unknown>>;
  /** Fields that are looked up for each line: which trace it belongs to. */
  readonly current?: () => Readonly<Record<string, unknown>>;
}

/** A logger that writes one JSON object a line. Logging never fails the work that it reports on. */
export function createJsonLogger(options: JsonLoggerOptions): Logger {
  const clock = options.clock ?? systemClock;
  const threshold = ORDER.indexOf(options.level);
  const at =
    (level: LogLevel) =>
    (message: string, fields?: unknown): void => {
      if (ORDER.indexOf(level) < threshold) return;
      try {
        const given = { ...options.bindings, ...options.current?.(), ...fieldsOf(fields) };
        const safe = options.scrubber.scrubValue({ ...bounded(given, 0), msg: bounded(message, 0) });
        options.write(`${oneLine({ ts: isoNow(clock), level, ...safe })}\n`);
      } catch {
        // Nowhere to report it to.
      }
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function fieldsOf(fields: unknown): Record<string, unknown> {
  if (fields === undefined || fields === null) return {};
  if (fields instanceof Error) return { error: fields };
  if (typeof fields === 'object' && !Array.isArray(fields)) return { ...fields };
  return { value: fields };
}

function bounded<T>(value: T, depth: number): T;
function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`
      : value;
  }
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '[deeper]';
  if (value instanceof Error) {
    const code: unknown = 'code' in value ? value.code : undefined;
    return { name: value.name, message: bounded(value.message, depth), ...(code !== undefined && { code }) };
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (Array.isArray(value)) return value.slice(0, 100).map((item: unknown) => bounded(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, bounded(member, depth + 1)]));
}

/** JSON that a terminal or a line reader cannot misunderstand: C1, DEL, line separators and bidi controls escaped. */
function oneLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
