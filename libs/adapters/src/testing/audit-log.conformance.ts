import assert from 'node:assert/strict';
import type { AuditEntry, AuditLog } from '@wrongstack/contracts';
import type { ConformanceCase } from './conformance-case.js';
import { rejectsWithCode } from './conformance-case.js';

export interface AuditLogHarness {
  readonly log: AuditLog;
  /** All entries that are durable, in order. */
  readonly entries: () => Promise<readonly AuditEntry[]>;
}

export function auditNote(n: number, data: Readonly<Record<string, unknown>> = {}): AuditEntry {
  return {
    kind: 'note',
    ts: '2026-01-02T03:04:05.678Z',
    session: null,
    run: null,
    call: null,
    data: { n, ...data },
  };
}

export const auditLogCases: readonly ConformanceCase<AuditLogHarness>[] = [
  {
    name: 'an entry is durable when append resolves',
    run: async ({ log, entries }) => {
      for (const n of [1, 2, 3]) {
        await log.append(auditNote(n));
        assert.deepEqual((await entries()).at(-1), auditNote(n));
      }
    },
  },
  {
    name: 'entries that are written at once keep their order',
    run: async ({ log, entries }) => {
      const notes = Array.from({ length: 200 }, (_, n) => auditNote(n));
      await Promise.all(notes.map((note) => log.append(note)));
      assert.deepEqual(await entries(), notes);
    },
  },
  {
    name: 'entries come back unchanged, whatever they hold',
    run: async ({ log, entries }) => {
      const hostile: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":2}');
      const note = auditNote(1, { text: 'a\u2028b\ud83d\0', nested: [null, { a: -0.5 }], hostile });
      await log.append(note);
      assert.deepEqual(JSON.stringify((await entries())[0]?.data?.['hostile']), JSON.stringify(hostile));
      assert.equal((await entries())[0]?.data?.['text'], 'a\u2028b\ud83d\0');
    },
  },
  {
    name: 'what JSON cannot hold is refused, and what is written at the same time is not',
    run: async ({ log, entries }) => {
      const cycle: Record<string, unknown> = {};
      cycle['self'] = cycle;
      const before = log.append(auditNote(1));
      const bad = rejectsWithCode(log.append(auditNote(2, cycle)), 'audit.bad_entry');
      const after = log.append(auditNote(3));
      await Promise.all([before, bad, after]);
      assert.deepEqual(await entries(), [auditNote(1), auditNote(3)]);
    },
  },
];
