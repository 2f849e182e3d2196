import type { FileHandle } from 'node:fs/promises';
import type { SessionEntry } from '@wrongstack/contracts';
import { WrongStackError, messageOf } from '@wrongstack/contracts';
import type { ByteLine } from '../files/read-lines.js';
import { readLines } from '../files/read-lines.js';
import { hasItsShape } from './entry-shape.js';

/** One entry as one line. Throws for what JSON cannot hold and for what is no entry. */
export function entryLine(entry: SessionEntry): string {
  let text: string;
  try {
    text = JSON.stringify(entry);
  } catch (thrown) {
    throw new WrongStackError('session.bad_entry', `session entry cannot be written: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
  // Read back by the same rules, so that nothing is written that a resume would skip. For what is no value at all,
  // JSON gives `undefined`, whatever its declaration says.
  if (parseEntry(Buffer.from(String(text as unknown))) === undefined) {
    throw new WrongStackError(
      'session.bad_entry',
      'session entry needs the strings "type" and "ts", and what its type is made of',
    );
  }
  return `${text}\n`;
}

export function parseEntry(bytes: Buffer): SessionEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { type, ts } = value as Record<string, unknown>;
  // Entries of plugins are open-ended; the two fields are all that they share with ours.
  if (typeof type !== 'string' || type === '' || typeof ts !== 'string') return undefined;
  return hasItsShape({ ...value, type }) ? (value as SessionEntry) : undefined;
}

/**
 * Entries of a log, in order. A damaged line is not passed over in silence: a `repair` entry that names it stands in
 * its place. The unfinished rest of a file is left out: somebody may be writing it at this moment.
 */
export async function* readEntries(
  handle: FileHandle,
  range: { readonly end?: number } = {},
): AsyncGenerator<SessionEntry, void, undefined> {
  let last = '1970-01-01T00:00:00.000Z';
  for await (const line of readLines(handle, range)) {
    const entry = line.bytes === null ? undefined : parseEntry(line.bytes);
    if (entry !== undefined) {
      last = entry.ts;
      yield entry;
    } else if (line.complete) yield damaged(line, last);
  }
}

function damaged(line: ByteLine, ts: string): SessionEntry {
  const size = line.bytes === null ? 'too long' : `${line.bytes.length} bytes`;
  return { type: 'repair', ts, what: `line ${line.number} is damaged (${size}) and was skipped` };
}
