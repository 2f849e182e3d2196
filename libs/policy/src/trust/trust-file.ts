import { JsonFault, parseStrictJson, WrongStackError, type TrustSubject } from '@wrongstack/contracts';
import type { TrustEntry } from './trust-entry.js';

/** The text of a trust file, and back. Version 1: project, then one entry a line, so that a person can read and mend it. */
export function writeTrustFile(project: string, entries: readonly TrustEntry[]): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n  "version": 1,\n  "project": ${JSON.stringify(project)},\n  "entries": ${list}\n}\n`;
}

/** Throws `trust.corrupt`. A file that is partly understood is not understood: an entry that we skip might be a denial. */
export function readTrustFile(text: string, file: string, project: string): readonly TrustEntry[] {
  const value = parseJson(text, file);
  const fields = record(value, file, 'the file', ['version', 'project', 'entries']);
  if (fields['version'] !== 1) throw corrupt(file, 'version is not 1: written by a newer wstack');
  if (fields['project'] !== project)
    throw corrupt(file, `project is not ${project}: copied from another one`);
  const { entries } = fields;
  if (!Array.isArray(entries)) throw corrupt(file, 'entries is no list');
  const read = entries.map((entry: unknown, index) => readEntry(entry, file, `entries[${index}]`));
  if (new Set(read.map(({ id }) => id)).size !== read.length) throw corrupt(file, 'two entries share an id');
  return Object.freeze(read);
}

export function corrupt(file: string, what: string, cause?: unknown): WrongStackError {
  return new WrongStackError('trust.corrupt', `${file}: ${what}`, {
    cause,
    hint: 'correct the file or move it away; until then no grant in it counts',
  });
}

function parseJson(text: string, file: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw corrupt(`${file}:${error.line}`, error.what, error);
  }
}

const ENTRY_FIELDS = [
  'id',
  'effect',
  'tool',
  'owner',
  'definitionDigest',
  'subject',
  'expiresAt',
  'grantedBy',
  'grantedAt',
];

function readEntry(value: unknown, file: string, where: string): TrustEntry {
  const fields = record(value, file, where, ENTRY_FIELDS);
  const text = (name: string): string => {
    const field = fields[name];
    if (typeof field === 'string' && field !== '') return field;
    throw corrupt(file, `${where}.${name} is no text`);
  };
  const date = (name: string): string => {
    const field = text(name);
    if (!Number.isNaN(Date.parse(field))) return field;
    throw corrupt(file, `${where}.${name} is no date`);
  };
  const { effect } = fields;
  if (effect !== 'allow' && effect !== 'deny')
    throw corrupt(file, `${where}.effect is neither allow nor deny`);
  if (fields['expiresAt'] === null && effect === 'allow') {
    throw corrupt(file, `${where}.expiresAt is missing: an allow always ends`);
  }
  return Object.freeze<TrustEntry>({
    id: text('id'),
    effect,
    tool: text('tool'),
    owner: text('owner'),
    definitionDigest: text('definitionDigest'),
    subject: readSubject(fields['subject'], file, `${where}.subject`),
    expiresAt: fields['expiresAt'] === null ? null : date('expiresAt'),
    grantedBy: text('grantedBy'),
    grantedAt: date('grantedAt'),
  });
}

function readSubject(value: unknown, file: string, where: string): TrustSubject {
  if (typeof value !== 'object' || value === null) throw corrupt(file, `${where} is no object`);
  const kind: unknown = Reflect.get(value, 'kind');
  switch (kind) {
    case 'command': {
      const { words } = record(value, file, where, ['kind', 'words']);
      if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === 'string')) {
        throw corrupt(file, `${where}.words is no list of words`);
      }
      return { kind, words };
    }
    case 'path': {
      const { path, access } = record(value, file, where, ['kind', 'path', 'access']);
      if (typeof path !== 'string' || path === '') throw corrupt(file, `${where}.path is no text`);
      if (access !== 'read' && access !== 'write')
        throw corrupt(file, `${where}.access is neither read nor write`);
      return { kind, path, access };
    }
    case 'host': {
      const { host } = record(value, file, where, ['kind', 'host']);
      if (typeof host !== 'string' || host === '') throw corrupt(file, `${where}.host is no text`);
      return { kind, host };
    }
    default:
      throw corrupt(file, `${where}.kind is unknown`);
  }
}

/** Exactly these own keys: one that is missing or unknown makes the file corrupt. */
function record(
  value: unknown,
  file: string,
  where: string,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw corrupt(file, `${where} is no object`);
  for (const key of keys) if (!Object.hasOwn(value, key)) throw corrupt(file, `${where} lacks ${key}`);
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) throw corrupt(file, `${where} has an unknown field ${JSON.stringify(key)}`);
  }
  return value as Readonly<Record<string, unknown>>;
}
