import assert from 'node:assert/strict';
import type { ChainProblem, ControlStore, IndexedRow } from '@wrongstack/contracts/control';
import { ChainVerifier, EMPTY_AUDIT_HEAD } from '@wrongstack/contracts/control';
import { rejectsWithCode } from '../../testing/conformance-case.js';
import { AT, DIFFICULT_TEXTS, SampleSource, minute } from './sample-records.js';
import type { StoreCase } from './store-harness.js';
import { everyPage } from './store-harness.js';

const signal = new AbortController().signal;

/** Follows the whole chain from its beginning to its head. */
export async function problemsOf(store: ControlStore): Promise<readonly ChainProblem[]> {
  const head = await store.audit.head();
  const verifier = new ChainVerifier();
  const problems: (ChainProblem | null)[] = [];
  for await (const rows of store.audit.stream({ filter: { throughSeq: head.seq }, signal })) {
    problems.push(...rows.map((row) => verifier.next(row)));
  }
  problems.push(verifier.end(head));
  return problems.filter((problem) => problem !== null);
}

async function streamed(store: ControlStore, filter = {}, batch = 10): Promise<IndexedRow[]> {
  const rows: IndexedRow[] = [];
  for await (const some of store.audit.stream({ filter, signal, batch })) rows.push(...some);
  return rows;
}

export const auditStoreCases: readonly StoreCase[] = [
  {
    name: 'what is appended is one chain, in order, and comes back as it was given',
    run: async ({ store, peer }) => {
      assert.deepEqual(await store.audit.head(), EMPTY_AUDIT_HEAD);
      const source = new SampleSource();
      const batch = source.batch(3);
      const receipt = await store.audit.append(batch, minute(1));
      assert.deepEqual(receipt, {
        source: source.name,
        appended: 3,
        duplicates: 0,
        repeated: [],
        flagged: [],
        head: await peer.audit.head(),
      });
      const shipped = batch.records[1];
      assert(shipped !== undefined);
      const { hash, ...record } = (await peer.audit.get(2)) ?? assert.fail('no record');
      assert.match(hash, /^[0-9a-f]{64}$/);
      assert.deepEqual(record, {
        v: 1,
        seq: 2,
        source: source.name,
        sourceSeq: 1,
        sourceHash: shipped.hash,
        link: 'continues',
        receivedAt: minute(1),
        index: shipped.index,
        entry: shipped.entry,
      });
      const last = batch.records[2];
      assert.deepEqual(await store.audit.sourceHead(source.name), {
        source: source.name,
        seq: 2,
        hash: last?.hash,
      });
      assert.equal(await store.audit.sourceHead('nobody'), null);
      assert.equal(await store.audit.get(4), null);
      assert.deepEqual(await problemsOf(peer), []);
    },
  },
  {
    name: 'what is shipped again is acknowledged and not appended',
    run: async ({ store, peer }) => {
      const source = new SampleSource();
      const [first, second] = [source.batch(5), source.batch(5)];
      await store.audit.append(first, AT);
      const both = { source: source.name, records: [...first.records.slice(2), ...second.records] };
      const again = await peer.audit.append(both, AT);
      assert.deepEqual([again.appended, again.duplicates, again.flagged], [5, 3, []]);
      assert.equal(again.repeated.length, 3);
      const twice = { source: source.name, records: [...second.records, ...second.records] };
      assert.equal((await store.audit.append(twice, AT)).duplicates, 10);
      const fresh = source.batch(1).records;
      const doubled = await store.audit.append({ source: source.name, records: [...fresh, ...fresh] }, AT);
      assert.deepEqual([doubled.appended, doubled.duplicates], [1, 1]);
      assert.equal((await store.audit.head()).seq, 11);
      assert.deepEqual(await problemsOf(store), []);
    },
  },
  {
    name: 'the same batch from many sides at once is taken in once',
    run: async ({ store, peer }) => {
      const batch = new SampleSource().batch(20);
      const receipts = await Promise.all(
        Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? store : peer).audit.append(batch, AT)),
      );
      assert.equal(
        receipts.reduce((sum, { appended }) => sum + appended, 0),
        20,
      );
      assert.equal((await store.audit.head()).seq, 20);
      assert.deepEqual(await problemsOf(store), []);
    },
  },
  {
    name: 'many sources at once make one whole chain',
    run: async ({ store, peer }) => {
      const sources = Array.from({ length: 20 }, (_, index) => new SampleSource(`agent-${index}/a`));
      await Promise.all(
        sources.map(async (source, index) => {
          for (let round = 0; round < 5; round += 1) {
            await (index % 2 === 0 ? store : peer).audit.append(source.batch(1 + (index % 3)), minute(round));
          }
        }),
      );
      const rows = await streamed(store);
      assert.equal(rows.length, 5 * sources.reduce((sum, _, index) => sum + 1 + (index % 3), 0));
      assert.equal(rows.filter(({ link }) => link !== 'continues').length, 0);
      assert.deepEqual(await problemsOf(store), []);
    },
  },
  {
    name: 'appends that come one shortly after another share one commit',
    run: async ({ store }) => {
      const receipts = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          // Each has more to do than the one before, as requests have that came in together.
          for (let step = 0; step < index * 5; step += 1) await Promise.resolve();
          return store.audit.append(new SampleSource(`agent-${index}/a`).batch(1), AT);
        }),
      );
      // A receipt names the head that its commit left.
      assert.deepEqual(
        receipts.map(({ head }) => head.seq),
        Array.from({ length: 8 }, () => 8),
      );
    },
  },
  {
    name: 'a source whose chain does not continue is taken in and flagged',
    run: async ({ store }) => {
      const source = new SampleSource();
      source.lose(2);
      const beginning = await store.audit.append(source.batch(2), AT);
      assert.deepEqual(beginning.flagged, [{ sourceSeq: 2, link: 'gap' }]);
      source.lose(1);
      const gap = await store.audit.append(source.batch(2), AT);
      assert.deepEqual(gap.flagged, [{ sourceSeq: 5, link: 'gap' }]);
      const forged = { ...source.next('forged'), prev: 'another hash' };
      const broken = await store.audit.append({ source: source.name, records: [forged] }, AT);
      assert.deepEqual(broken.flagged, [{ sourceSeq: 7, link: 'broken' }]);
      const conflicting = { ...forged, hash: 'a second record of this number' };
      const conflict = await store.audit.append({ source: source.name, records: [conflicting] }, AT);
      assert.deepEqual(conflict.flagged, [{ sourceSeq: 7, link: 'conflict' }]);
      assert.equal(
        (await store.audit.append({ source: source.name, records: [conflicting] }, AT)).duplicates,
        1,
      );
      const next = await store.audit.append(source.batch(1), AT);
      assert.deepEqual(next.flagged, []);
      const flagged = await store.audit.search({ flagged: true }, { limit: 10 });
      assert.deepEqual(
        flagged.items.map(({ link }) => link),
        ['conflict', 'broken', 'gap', 'gap'],
      );
      assert.deepEqual(await problemsOf(store), []);
    },
  },
  {
    name: 'no text is refused, and what is searched is found by the original',
    run: async ({ store }) => {
      const source = new SampleSource();
      const texts = [...DIFFICULT_TEXTS, 'x'.repeat(2_000_000)];
      for (const text of texts) {
        const record = source.next(text, { actor: text, tool: text, rule: text });
        await store.audit.append({ source: source.name, records: [record] }, AT);
      }
      const rows = await streamed(store);
      const kept = await Promise.all(rows.map(({ seq }) => store.audit.get(seq)));
      kept.forEach((record, index) => assert(record?.entry.data?.['text'] === texts[index]));
      for (const text of texts) {
        const found = await store.audit.search({ actor: text, tool: text }, { limit: 10 });
        assert.equal(found.items.length, 1, `not found: ${JSON.stringify(text.slice(0, 40))}`);
      }
      assert.deepEqual(await problemsOf(store), []);
    },
  },
  {
    name: 'records are searched by all that they are indexed by',
    run: async ({ store }) => {
      const source = new SampleSource();
      const variants = [
        {
          kind: 'decision' as const,
          tool: 'bash',
          verdict: 'deny' as const,
          rule: 'r1',
          document: 'd',
          revision: 4,
        },
        { kind: 'decision' as const, tool: 'bash', verdict: 'allow' as const, actor: 'bob', team: 'infra' },
        { kind: 'outcome' as const, tool: 'read', session: 's-1', agent: 'agent-2' },
      ];
      for (let round = 0; round < 4; round += 1) {
        for (const variant of variants) {
          await store.audit.append(source.batch(1, { ...variant, at: minute(round) }), minute(9));
        }
      }
      const seqsOf = async (filter: Parameters<typeof store.audit.search>[0]): Promise<number[]> =>
        (await everyPage((cursor) => store.audit.search(filter, { limit: 3, cursor }))).map(({ seq }) => seq);
      assert.deepEqual(await seqsOf({}), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      assert.deepEqual(await seqsOf({ verdict: 'deny' }), [10, 7, 4, 1]);
      assert.deepEqual(await seqsOf({ rule: 'r1', document: 'd', revision: 4 }), [10, 7, 4, 1]);
      assert.deepEqual(await seqsOf({ revision: 5 }), []);
      assert.deepEqual(await seqsOf({ actor: 'bob', team: 'infra' }), [11, 8, 5, 2]);
      assert.deepEqual(await seqsOf({ agent: 'agent-2', session: 's-1', tool: 'read' }), [12, 9, 6, 3]);
      assert.deepEqual(await seqsOf({ kind: 'decision', from: minute(1), to: minute(3) }), [8, 7, 5, 4]);
      assert.deepEqual(await seqsOf({ afterSeq: 3, throughSeq: 5, source: source.name }), [5, 4]);
      assert.deepEqual(await seqsOf({ actor: "bob' or '1'='1" }), []);
      const counts = await store.audit.counts({ kind: 'decision' }, ['tool', 'verdict'], 10);
      assert.deepEqual(
        [...counts].sort((one, other) => String(one.by.verdict).localeCompare(String(other.by.verdict))),
        [
          { by: { tool: 'bash', verdict: 'allow' }, count: 4 },
          { by: { tool: 'bash', verdict: 'deny' }, count: 4 },
        ],
      );
      assert.deepEqual(await store.audit.counts({ afterSeq: 9 }, [], 10), [{ by: {}, count: 3 }]);
      assert.deepEqual(await store.audit.counts({}, ['actor'], 1), [{ by: { actor: 'ann' }, count: 8 }]);
    },
  },
  {
    name: 'pages of a search stay where they are while others append',
    run: async ({ store, peer }) => {
      const source = new SampleSource();
      await store.audit.append(source.batch(30), AT);
      const seen = await everyPage(async (cursor) => {
        const page = await store.audit.search({}, { limit: 7, cursor });
        await peer.audit.append(source.batch(3), AT);
        return page;
      });
      assert.deepEqual(
        seen.map(({ seq }) => seq),
        Array.from({ length: 30 }, (_, index) => 30 - index),
      );
    },
  },
  {
    name: 'cursors and limits from outside are refused with a code',
    run: async ({ store }) => {
      await store.audit.append(new SampleSource().batch(3), AT);
      const cursors = ['', 'x', 'W10', '%', Buffer.from('["1"]').toString('base64url'), 'WzEsMl0'];
      for (const cursor of cursors) {
        await rejectsWithCode(store.audit.search({}, { limit: 2, cursor }), 'store.bad_cursor');
      }
      for (const limit of [0, -1, 1.5, 1_001, Number.NaN, Number.POSITIVE_INFINITY]) {
        await rejectsWithCode(store.audit.search({}, { limit }), 'store.bad_limit');
      }
      const bad = { source: 'a\0b', records: new SampleSource().batch(1).records };
      await rejectsWithCode(store.audit.append(bad, AT), 'store.bad_key');
    },
  },
  {
    name: 'a stream gives each piece of the chain once, filtered, and ends when it is told to',
    run: async ({ store }) => {
      const source = new SampleSource();
      await store.audit.append(source.batch(45, { tool: 'bash' }), AT);
      await store.audit.append(source.batch(5, { tool: 'read' }), AT);
      const all = await streamed(store);
      assert.deepEqual(
        all.map(({ seq }) => seq),
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      const some = await streamed(store, { tool: 'read', throughSeq: 48 });
      assert.deepEqual(
        some.map(({ seq }) => seq),
        [46, 47, 48],
      );
      assert.deepEqual(await streamed(store, { afterSeq: 50 }), []);
      const control = new AbortController();
      const stopped = (async () => {
        for await (const rows of store.audit.stream({ signal: control.signal, batch: 10 })) {
          assert.equal(rows.length, 10);
          control.abort();
        }
      })();
      await assert.rejects(stopped, { name: 'AbortError' });
    },
  },
  {
    name: 'an edited, a missing and an added row are found where they are',
    run: async ({ store, tamper }) => {
      await store.audit.append(new SampleSource().batch(20), AT);
      await tamper("update audit_records set body = replace(body, 'note 4', 'note 5') where seq = 5");
      assert.deepEqual(await problemsOf(store), [{ kind: 'edited', seq: 5 }]);
      await tamper("update audit_records set actor = 'somebody else' where seq = 9");
      await tamper('delete from audit_records where seq = 12');
      await tamper('delete from audit_records where seq = 20');
      assert.deepEqual(await problemsOf(store), [
        { kind: 'edited', seq: 5 },
        { kind: 'index', seq: 9 },
        { kind: 'missing', seq: 12 },
        { kind: 'head', seq: 20 },
      ]);
    },
  },
  {
    name: 'an append in a transaction goes with it',
    run: async ({ store, peer }) => {
      const source = new SampleSource();
      await store.audit.append(source.batch(2), AT);
      const batch = source.batch(2);
      const failure = new Error('no');
      const rolledBack = store.transaction(async (tx) => {
        assert.equal((await tx.audit.append(batch, AT)).appended, 2);
        assert.equal((await tx.audit.head()).seq, 4);
        throw failure;
      });
      await assert.rejects(rolledBack, (thrown) => thrown === failure);
      assert.equal((await peer.audit.head()).seq, 2);
      await Promise.all([
        store.transaction((tx) => tx.audit.append(batch, AT)),
        peer.audit.append(new SampleSource('other/a').batch(3), AT),
      ]);
      assert.equal((await store.audit.head()).seq, 7);
      assert.deepEqual(await problemsOf(store), []);
    },
  },
];
