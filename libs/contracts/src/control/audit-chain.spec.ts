import { canonicalJson } from '../canonical-json.js';
import { EMPTY_AUDIT_HEAD, ChainVerifier, chainRecord, prepareRecord, readChained } from './audit-chain.js';
import { auditIndexOf } from './audit-index.js';
import type { AuditHead, IndexedRow } from './audit-records.js';

const NOW = '2026-12-01T00:00:00.000Z';

function chainOf(count: number): IndexedRow[] {
  const rows: IndexedRow[] = [];
  let head: AuditHead = EMPTY_AUDIT_HEAD;
  for (let seq = 0; seq < count; seq += 1) {
    const entry = {
      kind: 'note' as const,
      ts: NOW,
      session: null,
      run: null,
      call: null,
      data: { z: 1, a: `${seq} \0 \ud800 é` },
    };
    const index = auditIndexOf(entry, { actor: 'ann', agent: null, team: null });
    const prepared = prepareRecord('agent/chain', { seq, prev: null, hash: `h${seq}`, index, entry });
    const row = chainRecord(prepared, 'continues', NOW, head);
    rows.push(row);
    head = row;
  }
  return rows;
}

function problemsOf(
  rows: readonly IndexedRow[],
  head: AuditHead = rows.at(-1) ?? EMPTY_AUDIT_HEAD,
): unknown[] {
  const verifier = new ChainVerifier();
  const problems = rows.map((row) => verifier.next(row));
  return [...problems, verifier.end(head)].filter((problem) => problem !== null);
}

const shipped = {
  seq: 0,
  prev: null,
  hash: 'h',
  entry: { kind: 'note' as const, ts: NOW, session: null, run: null, call: null },
};

describe('the chain of the organisation', () => {
  const rows = chainOf(5);

  it('holds what was hashed, letter by letter, as canonical JSON', () => {
    for (const row of rows) {
      const { hash: _, ...content } = readChained(row);
      expect(row.body).toBe(canonicalJson(content));
    }
  });

  it('is whole as written', () => {
    expect(problemsOf(rows)).toEqual([]);
    expect(problemsOf([])).toEqual([]);
  });

  it('names an edited row', () => {
    const edited = rows.map((row) =>
      row.seq === 3 ? { ...row, body: row.body.replace('ann', 'bob') } : row,
    );
    expect(problemsOf(edited)).toEqual([{ kind: 'edited', seq: 3 }]);
  });

  it('names a row whose columns were edited', () => {
    const verifier = new ChainVerifier();
    const row = rows[0]!;
    expect(verifier.next({ ...row, index: { ...row.index, actor: 'bob' } })).toEqual({
      kind: 'index',
      seq: 1,
    });
  });

  it('names a missing row, in the middle, at the beginning and at the end', () => {
    expect(problemsOf(rows.filter(({ seq }) => seq !== 3))).toEqual([{ kind: 'missing', seq: 3 }]);
    expect(problemsOf(rows.slice(1))).toEqual([{ kind: 'missing', seq: 1 }]);
    expect(problemsOf(rows.slice(0, -1), rows.at(-1))).toEqual([{ kind: 'head', seq: 5 }]);
  });

  it('names where a row was put in, or written anew with a hash of its own', () => {
    const forged = chainRecord(
      prepareRecord('x', {
        seq: 0,
        prev: null,
        hash: 'h',
        index: readChained(rows[0]!).index,
        entry: readChained(rows[0]!).entry,
      }),
      'continues',
      NOW,
      rows[1]!,
    );
    expect(problemsOf(rows.map((row) => (row.seq === 3 ? forged : row)))).toEqual([
      { kind: 'edited', seq: 4 },
    ]);
  });

  it('names columns that were edited to what an entry says about itself', () => {
    const real = rows[0]!;
    const index = { ...real.index, actor: 'bob' };
    const { link, receivedAt, seq, source, sourceHash, sourceSeq } = real;
    const data = { index, link, receivedAt, seq, source, sourceHash, sourceSeq, v: 1 };
    const entry = { ...readChained(real).entry, data };
    const row = chainRecord(
      prepareRecord(source, { seq: 0, prev: null, hash: sourceHash, index: real.index, entry }),
      'continues',
      NOW,
      EMPTY_AUDIT_HEAD,
    );
    expect(new ChainVerifier().next(row)).toBeNull();
    expect(new ChainVerifier().next({ ...row, index })).toEqual({ kind: 'index', seq: 1 });
    expect(new ChainVerifier().next({ ...row, link: 'gap' })).toEqual({ kind: 'index', seq: 1 });
  });

  it('keeps index text that no database could hold in a form that each can', () => {
    const index = { ...rows[0]!.index, actor: 'a\0b\ud800c\u{1f600}', tool: 'x'.repeat(511) + '\u{1f600}' };
    const { index: kept } = prepareRecord('s', { ...shipped, index });
    expect(kept.actor).toBe('a\ufffdb\ufffdc\u{1f600}');
    expect(kept.tool).toBe(`${'x'.repeat(511)}\ufffd`);
  });

  it('goes on from a head that is trusted already', () => {
    const verifier = new ChainVerifier(rows[2]);
    expect(rows.slice(3).map((row) => verifier.next(row))).toEqual([null, null]);
    expect(verifier.end(rows[4]!)).toBeNull();
    expect(verifier.checked).toBe(2);
  });
});
