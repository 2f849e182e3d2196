import assert from 'node:assert/strict';
import type { ControlStore } from '@wrongstack/contracts/control';
import { rejectsWithCode } from '../../testing/conformance-case.js';
import { AT, DIFFICULT_TEXTS, minute, sampleRevision } from './sample-records.js';
import type { StoreCase } from './store-harness.js';
import { everyPage } from './store-harness.js';

async function addPolicy(store: ControlStore, id = 'payments'): Promise<void> {
  const policy = { id, tier: 'team' as const, ref: 'payments', createdBy: 'ann', createdAt: AT };
  assert.equal(await store.policies.create(policy), true);
}

const draftOf = (text: string, author = 'ann') => ({
  policy: 'payments',
  text,
  author,
  savedAt: AT,
  basedOn: 0,
});

export const policyStoreCases: readonly StoreCase[] = [
  {
    name: 'a policy is made once',
    run: async ({ store, peer }) => {
      await addPolicy(store);
      const again = { id: 'payments', tier: 'org' as const, ref: 'acme', createdBy: 'bob', createdAt: AT };
      assert.equal(await peer.policies.create(again), false);
      assert.deepEqual(await peer.policies.get('payments'), {
        id: 'payments',
        tier: 'team',
        ref: 'payments',
        createdBy: 'ann',
        createdAt: AT,
        newestRevision: 0,
        activeRevision: null,
        draftEtag: null,
      });
      assert.equal(await store.policies.get('other'), null);
    },
  },
  {
    name: 'a draft is saved over what its author has seen, and over nothing else',
    run: async ({ store, peer }) => {
      await addPolicy(store);
      const first = await store.policies.saveDraft(draftOf('one'), null);
      assert.deepEqual(first, { ok: true, draft: { ...draftOf('one'), etag: 1 } });
      assert.deepEqual(await peer.policies.saveDraft(draftOf('two', 'bob'), null), {
        ok: false,
        reason: 'stale',
        current: { ...draftOf('one'), etag: 1 },
      });
      assert.equal((await peer.policies.saveDraft(draftOf('two', 'bob'), 1)).ok, true);
      assert.equal((await store.policies.saveDraft(draftOf('three'), 1)).ok, false);
      assert.deepEqual(await store.policies.draft('payments'), { ...draftOf('two', 'bob'), etag: 2 });
    },
  },
  {
    name: 'the tag of a deleted draft never fits a new one',
    run: async ({ store }) => {
      await addPolicy(store);
      await store.policies.saveDraft(draftOf('one'), null);
      assert.equal((await store.policies.deleteDraft('payments', 7)).ok, false);
      assert.deepEqual(await store.policies.deleteDraft('payments', 1), { ok: true });
      assert.equal(await store.policies.draft('payments'), null);
      assert.deepEqual(await store.policies.deleteDraft('payments', 1), {
        ok: false,
        reason: 'stale',
        current: null,
      });
      const anew = await store.policies.saveDraft(draftOf('anew'), null);
      assert(anew.ok);
      assert.equal(anew.draft.etag, 2);
    },
  },
  {
    name: 'every text of a draft comes back as it was given',
    run: async ({ store }) => {
      await addPolicy(store);
      let etag: number | null = null;
      for (const text of [...DIFFICULT_TEXTS, 'x'.repeat(3_000_000)]) {
        const saved = await store.policies.saveDraft(draftOf(text), etag);
        assert(saved.ok);
        etag = saved.draft.etag;
        const draft = await store.policies.draft('payments');
        assert(draft?.text === text, `lost: ${JSON.stringify(text.slice(0, 40))}`);
      }
    },
  },
  {
    name: 'what belongs to a policy that is not there is refused',
    run: async ({ store }) => {
      await rejectsWithCode(store.policies.saveDraft(draftOf('one'), null), 'store.unknown_parent');
      await rejectsWithCode(store.policies.deleteDraft('payments', 1), 'store.unknown_parent');
      await rejectsWithCode(
        store.policies.addRevision(sampleRevision('payments', 1)),
        'store.unknown_parent',
      );
      const comment = { id: 'c1', policy: 'payments', revision: null, author: 'ann', text: 'no', at: AT };
      await rejectsWithCode(store.policies.addComment(comment), 'store.unknown_parent');
    },
  },
  {
    name: 'of many that publish at once one wins, whoever they are',
    run: async ({ store, peer }) => {
      await addPolicy(store);
      for (const number of [1, 2, 3]) {
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? store : peer).policies.addRevision(
              sampleRevision('payments', number, { author: `author ${index}` }),
            ),
          ),
        );
        assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
        const lost = outcomes.filter((outcome) => !outcome.ok);
        for (const { current } of lost) assert.equal(current?.number, number);
      }
      assert.equal((await store.policies.get('payments'))?.newestRevision, 3);
      assert.equal((await store.policies.addRevision(sampleRevision('payments', 5))).ok, false);
    },
  },
  {
    name: 'a revision moves under its tag, and its text stays',
    run: async ({ store, peer }) => {
      await addPolicy(store);
      const published = sampleRevision('payments', 1, { text: 'a\0b', state: 'awaiting' });
      await store.policies.addRevision(published);
      const change = {
        state: 'staged' as const,
        rollout: { teams: ['payments'], percent: 10, salt: 's' },
        approver: 'bob',
        because: 'approved',
        changedAt: minute(9),
      };
      const both = await Promise.all([
        store.policies.changeRevision('payments', 1, change, 1),
        peer.policies.changeRevision('payments', 1, { ...change, state: 'rejected' }, 1),
      ]);
      assert.equal(both.filter(({ ok }) => ok).length, 1);
      const now = await store.policies.revision('payments', 1);
      assert.equal(now?.etag, 2);
      assert.equal(now.text, 'a\0b');
      assert.equal(now.approver, 'bob');
      assert.deepEqual(now.rollout, change.rollout);
      assert.equal((await store.policies.changeRevision('payments', 2, change, 1)).ok, false);
      assert.equal(await store.policies.revision('payments', 2), null);
      assert.equal(await store.policies.revision('payments', 1.5), null);
    },
  },
  {
    name: 'one revision of a policy is active at a time',
    run: async ({ store }) => {
      await addPolicy(store);
      await store.policies.addRevision(sampleRevision('payments', 1, { state: 'active' }));
      await rejectsWithCode(
        store.policies.addRevision(sampleRevision('payments', 2, { state: 'active' })),
        'store.conflict',
      );
      assert.equal((await store.policies.get('payments'))?.newestRevision, 1);
      await store.transaction(async (tx) => {
        const superseded = { ...sampleRevision('payments', 1), state: 'superseded' as const };
        assert.equal((await tx.policies.changeRevision('payments', 1, superseded, 1)).ok, true);
        await tx.policies.addRevision(sampleRevision('payments', 2, { state: 'active' }));
        await tx.policies.addRevision(sampleRevision('payments', 3, { state: 'staged' }));
      });
      const policy = await store.policies.get('payments');
      assert.deepEqual([policy?.newestRevision, policy?.activeRevision], [3, 2]);
      const live = await store.policies.liveRevisions();
      assert.deepEqual(
        live.map(({ number, state }) => [number, state]),
        [
          [2, 'active'],
          [3, 'staged'],
        ],
      );
    },
  },
  {
    name: 'pages neither lose nor repeat while others write',
    run: async ({ store }) => {
      const ids = Array.from({ length: 25 }, (_, index) => `p${String(index).padStart(2, '0')}`);
      for (const id of ids) await addPolicy(store, id);
      let added = 0;
      const seen = await everyPage(async (cursor) => {
        const page = await store.policies.list({}, { limit: 7, cursor });
        added += 1;
        // One before the place of the cursor, one behind it.
        await addPolicy(store, `a${added}`);
        await addPolicy(store, `z${added}`);
        return page;
      });
      const names = seen.map(({ id }) => id);
      assert.deepEqual(
        names.filter((id) => id.startsWith('p')),
        ids,
      );
      assert.equal(new Set(names).size, names.length);
      assert.equal((await store.policies.list({ tier: 'org' }, { limit: 10 })).items.length, 0);
      assert.equal((await store.policies.list({ ref: 'payments' }, { limit: 10 })).items.length, 10);
    },
  },
  {
    name: 'revisions are listed from the newest, comments from the oldest',
    run: async ({ store }) => {
      await addPolicy(store);
      for (let number = 1; number <= 5; number += 1) {
        await store.policies.addRevision(sampleRevision('payments', number));
        const comment = { id: `c${9 - number}`, policy: 'payments', revision: number, author: 'bob' };
        await store.policies.addComment({ ...comment, text: `\0 ${number}`, at: minute(number >> 1) });
      }
      const revisions = await everyPage((cursor) =>
        store.policies.revisions('payments', { limit: 2, cursor }),
      );
      assert.deepEqual(
        revisions.map(({ number }) => number),
        [5, 4, 3, 2, 1],
      );
      const comments = await everyPage((cursor) => store.policies.comments('payments', { limit: 2, cursor }));
      assert.deepEqual(
        comments.map(({ id }) => id),
        ['c8', 'c6', 'c7', 'c4', 'c5'],
      );
      assert.equal(comments[0]?.text, '\0 1');
    },
  },
  {
    name: 'bundle revisions are given out one by one, and never below what is asked for',
    run: async ({ store, peer }) => {
      assert.deepEqual(await store.bundleRevision.current(), { epoch: 0, revision: 0 });
      const raised = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? store : peer).bundleRevision.raise()),
      );
      const revisions = raised.map(({ revision }) => revision).sort((a, b) => a - b);
      assert.deepEqual(
        revisions,
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
      assert.deepEqual(await store.bundleRevision.raise(118), { epoch: 0, revision: 118 });
      assert.deepEqual(await store.bundleRevision.raise(5), { epoch: 0, revision: 119 });
      assert.deepEqual(await store.bundleRevision.setEpoch(3), { epoch: 3, revision: 119 });
      await rejectsWithCode(store.bundleRevision.setEpoch(2), 'store.conflict');
    },
  },
  {
    name: 'key documents only go forward, and a retired key has no material',
    run: async ({ store, peer }) => {
      assert.equal(await store.keys.newestDocument(), null);
      const document = { epoch: 2, document: '{"payload":"…"}', createdAt: AT };
      const added = await Promise.all([store.keys.addDocument(document), peer.keys.addDocument(document)]);
      assert.deepEqual(added.sort(), [false, true]);
      assert.equal(await store.keys.addDocument({ ...document, epoch: 1 }), false);
      assert.deepEqual(await store.keys.newestDocument(), document);
      assert.deepEqual(await store.keys.document(2), document);
      const material = Uint8Array.from({ length: 256 }, (_, index) => index);
      const signing = {
        keyId: 'k1',
        publicKey: 'pub',
        material,
        createdAt: AT,
        notAfter: minute(9),
        retiredAt: null,
      };
      assert.equal(await store.keys.addSigningKey(signing), true);
      assert.equal(await store.keys.addSigningKey(signing), false);
      assert.deepEqual(await store.keys.signingKeys(), [signing]);
      assert.equal(await store.keys.retireSigningKey('k1', minute(5)), true);
      assert.equal(await store.keys.retireSigningKey('k1', minute(6)), false);
      assert.deepEqual(await store.keys.signingKey('k1'), {
        ...signing,
        material: new Uint8Array(),
        retiredAt: minute(5),
      });
    },
  },
];
