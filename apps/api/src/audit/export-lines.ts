import type { AuditFilter, AuditStore } from '@wrongstack/contracts/control';
import { readChained } from '@wrongstack/contracts/control';
import { recordView } from './audit-query.js';

const COLUMNS = [
  'seq',
  'at',
  'receivedAt',
  'kind',
  'actor',
  'agent',
  'team',
  'session',
  'tool',
  'verdict',
  'rule',
  'document',
  'revision',
  'flagged',
  'source',
  'sourceSeq',
  'hash',
] as const;

/** Records in chain order as text, a piece at a time. */
export async function* exportLines(
  audit: AuditStore,
  filter: AuditFilter,
  format: 'jsonl' | 'csv',
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`;
  for await (const rows of audit.stream({ filter, signal, batch: 500 })) {
    yield rows
      .map((row) => {
        const record = readChained(row);
        if (format === 'jsonl') return `${JSON.stringify(recordView(record))}\n`;
        const { seq, index, receivedAt, link, source, sourceSeq, hash } = record;
        const flagged = link !== 'continues';
        const cells = { ...index, ...{ seq, receivedAt, flagged, source, sourceSeq, hash } };
        return `${COLUMNS.map((column) => csvCell(cells[column])).join(',')}\r\n`;
      })
      .join('');
  }
}

/**
 * A cell that a spreadsheet shows and never runs: text that would be read as a formula gets an apostrophe before it, also where white
 * space comes first. Quoted by RFC 4180.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[\s\u0000]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(value) ? `'${value}` : value;
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
