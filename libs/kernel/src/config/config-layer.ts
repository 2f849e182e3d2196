import { codeOf, messageOf, WrongStackError } from '@wrongstack/contracts';
import { compileSchema, type SchemaCheck } from '../registry/compile-schema.js';
import { CONFIG_SCHEMA } from './config-schema.js';

/** A layer of configuration: some sections, each with some keys. */
export type ConfigLayer = Readonly<Record<string, unknown>>;

export type ReadText = (file: string) => Promise<string>;

let check: SchemaCheck | undefined;

/** Throws `config.invalid` with the first fault, its field and where it was written. */
export function checkLayer(layer: unknown, where: string): ConfigLayer {
  check ??= compileSchema(CONFIG_SCHEMA, 'configuration', 'ours');
  const [fault, ...more] = check(layer);
  if (fault === undefined && isRecord(layer)) return layer;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  const [path] = (fault ?? '/').split(':');
  throw new WrongStackError(
    'config.invalid',
    `${where}: ${fault ?? 'must be a JSON object'}${others}; correct it`,
    {
      hint: 'wstack config path',
      ...(path === undefined ? {} : { path }),
    },
  );
}

/**
 * The JSON object in a file; null when there is no file. A file that exists and cannot be read or parsed is an error that
 * names it: going on with the defaults would quietly drop what somebody tightened there.
 */
export async function readLayerFile(file: string, readText: ReadText): Promise<unknown> {
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    if (codeOf(error) === 'config.unreadable') throw error;
    throw new WrongStackError('config.unreadable', `${file}: cannot be read (${codeOf(error)})`, {
      cause: error,
      hint: 'check its permissions',
    });
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch (error) {
    const { line, column } = faultPosition(text, messageOf(error));
    throw new WrongStackError(
      'config.invalid',
      `${file}:${line}:${column}: not valid JSON (${firstClause(messageOf(error))})`,
      { cause: error, hint: 'correct it or remove the file' },
    );
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function faultPosition(text: string, message: string): { readonly line: number; readonly column: number } {
  const offset = Number(
    /position (\d+)/.exec(message)?.[1] ?? (/end of JSON/.test(message) ? text.length : 0),
  );
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

// The engine's message repeats the text around the fault, which may be a key.
function firstClause(message: string): string {
  return (
    /^(Unexpected (?:token|end of JSON input|non-whitespace character)|Expected [^"]*?|Bad [^"]*?|Unterminated [^"]*?)(?= in JSON|,| after| at|$)/.exec(
      message,
    )?.[0] ?? 'unexpected text'
  ).trim();
}
