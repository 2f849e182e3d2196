import { JsonFault, parseStrictJson, WrongStackError } from '@wrongstack/contracts';
import { compileSchema, type SchemaCheck } from '../registry/compile-schema.js';
import { CONFIG_SCHEMA } from './config-schema.js';
import { readConfigText } from './read-config-text.js';

/** A layer of configuration: some sections, each with some keys. */
export type ConfigLayer = Readonly<Record<string, unknown>>;

const checks = new Map<string, SchemaCheck>();

/**
 * The schema with the sections that a layer has: most files have two or three, and compiling those of all would be a third of
 * what a start takes. A section that the schema lacks stays unknown.
 */
function checkFor(layer: unknown): SchemaCheck {
  const sections = CONFIG_SCHEMA['properties'];
  const present = Object.entries(isRecord(sections) ? sections : {}).filter(
    ([name]) => isRecord(layer) && Object.hasOwn(layer, name),
  );
  const key = present.map(([name]) => name).join(' ');
  const known = checks.get(key);
  if (known !== undefined) return known;
  const schema = { ...CONFIG_SCHEMA, properties: Object.fromEntries(present) };
  const check = compileSchema(schema, 'configuration', 'ours');
  checks.set(key, check);
  return check;
}

/** Throws `config.invalid` with the first fault, its field and where it was written. */
export function checkLayer(layer: unknown, where: string): ConfigLayer {
  const [fault, ...more] = checkFor(layer)(layer);
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
 * The JSON in a file; undefined when there is no file. A file that exists and cannot be read or parsed is an error that
 * names it: going on with the defaults would quietly drop what somebody tightened there.
 */
export async function readLayerFile(file: string): Promise<unknown> {
  const text = await readConfigText(file);
  if (text === null) return undefined;
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new WrongStackError('config.invalid', `${file}:${error.line}:${error.column}: ${error.what}`, {
      cause: error,
      hint: 'correct it or remove the file',
    });
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
