import assert from 'node:assert/strict';
import type { ExceptionRequest } from '@wrongstack/contracts/control';
import { AT, FACTS, minute, sampleApproval } from './sample-records.js';
import type { StoreCase } from './store-harness.js';
import { everyPage } from './store-harness.js';

const yes = (by: string, at = AT) => ({ by, answer: 'approve' as const, note: null, at });
const no = (by: string, at = AT) => ({ by, answer: 'reject' as const, note: 'not \0 today', at });

const exception: Omit<ExceptionRequest, 'state'> = {
  id: 'x1',
  requester: 'ann',
  team: 'payments',
  decision: 'd-1',
  digest: 'sha256:call',
  tool: 'bash',
  title: 'bash kubectl drain n1',
  rule: { id: 'no-prod-kube', document: 'payments', revision: 42 },
  reason: 'incident 12\0',
  facts: FACTS,
  createdAt: AT,
  wantedUntil: minute(60),
};

export const approvalStoreCases: readonly StoreCase[] = [
  {
    name: 'N different people approve, and then it is used once for its digest',
    run: async ({ store, peer }) => {
      assert.equal(await store.approvals.add(sampleApproval('ap-1')), true);
      assert.equal(await store.approvals.add(sampleApproval('ap-1')), false);
      const first = await store.approvals.answer('ap-1', yes('bob'));
      assert(first.ok);
      assert.equal(first.request.state.is, 'pending');
      const again = await peer.approvals.answer('ap-1', yes('bob'));
      assert(!again.ok && again.reason === 'already-answered');
      const own = await store.approvals.answer('ap-1', yes('ann'));
      assert(!own.ok && own.reason === 'own-request');
      const early = await store.approvals.use('ap-1', 'sha256:call', 'agent-1', AT);
      assert(!early.ok && early.reason === 'not-approved');
      const second = await peer.approvals.answer('ap-1', yes('cid', minute(1)));
      assert(second.ok);
      assert.deepEqual(second.request.state, { is: 'approved', at: minute(1) });
      const other = await store.approvals.use('ap-1', 'sha256:other', 'agent-1', minute(2));
      assert(!other.ok && other.reason === 'other-digest');
      const used = await store.approvals.use('ap-1', 'sha256:call', 'agent-1', minute(2));
      assert(used.ok);
      const replayed = await peer.approvals.use('ap-1', 'sha256:call', 'agent-1', minute(2));
      assert(!replayed.ok && replayed.reason === 'already-used');
      const kept = await peer.approvals.get('ap-1', minute(99));
      assert.deepEqual(kept, {
        ...sampleApproval('ap-1'),
        state: { is: 'used', at: minute(2), by: 'agent-1' },
        answers: [yes('bob'), yes('cid', minute(1))],
        etag: 4,
      });
    },
  },
  {
    name: 'of many that answer at once the N-th decides, and of many that use it one does',
    run: async ({ store, peer }) => {
      for (let round = 0; round < 5; round += 1) {
        const id = `ap-${round}`;
        await store.approvals.add(sampleApproval(id, { needed: 3 }));
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? store : peer).approvals.answer(id, yes(`approver ${index % 6}`)),
          ),
        );
        assert.equal(answers.filter(({ ok }) => ok).length, 3);
        const uses = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? store : peer).approvals.use(id, 'sha256:call', `agent ${index}`, AT),
          ),
        );
        assert.equal(uses.filter(({ ok }) => ok).length, 1);
      }
    },
  },
  {
    name: 'a use that is rolled back was none',
    run: async ({ store }) => {
      await store.approvals.add(sampleApproval('ap-1', { needed: 1 }));
      await store.approvals.answer('ap-1', yes('bob'));
      const failure = new Error('the call could not be recorded');
      const attempt = store.transaction(async (tx) => {
        assert.equal((await tx.approvals.use('ap-1', 'sha256:call', 'agent-1', AT)).ok, true);
        throw failure;
      });
      await assert.rejects(attempt, (thrown) => thrown === failure);
      assert.equal((await store.approvals.use('ap-1', 'sha256:call', 'agent-1', AT)).ok, true);
    },
  },
  {
    name: 'one no ends it',
    run: async ({ store }) => {
      await store.approvals.add(sampleApproval('ap-1'));
      await store.approvals.answer('ap-1', yes('bob'));
      const rejected = await store.approvals.answer('ap-1', no('cid'));
      assert(rejected.ok);
      assert.equal(rejected.request.state.is, 'rejected');
      const late = await store.approvals.answer('ap-1', yes('dan'));
      assert(!late.ok && late.reason === 'not-pending');
      const withdrawn = await store.approvals.withdraw('ap-1', 'ann', AT);
      assert(!withdrawn.ok && withdrawn.reason === 'not-pending');
    },
  },
  {
    name: 'an approval that was taken back cannot be used',
    run: async ({ store }) => {
      await store.approvals.add(sampleApproval('ap-1', { needed: 1 }));
      await store.approvals.answer('ap-1', yes('bob'));
      assert.equal((await store.approvals.withdraw('ap-1', 'ann', AT)).ok, true);
      const use = await store.approvals.use('ap-1', 'sha256:call', 'agent-1', AT);
      assert(!use.ok && use.reason === 'not-approved');
    },
  },
  {
    name: 'past its end nothing can be answered or used, written down or not',
    run: async ({ store, peer }) => {
      await store.approvals.add(sampleApproval('ap-1'));
      await store.approvals.add(sampleApproval('ap-2', { needed: 1 }));
      await store.approvals.answer('ap-2', yes('bob'));
      const late = await store.approvals.answer('ap-1', yes('bob', minute(30)));
      assert(!late.ok && late.reason === 'expired');
      const use = await store.approvals.use('ap-2', 'sha256:call', 'agent-1', minute(30));
      assert(!use.ok && use.reason === 'expired');
      assert.equal((await store.approvals.get('ap-1', minute(30)))?.state.is, 'expired');
      assert.equal((await store.approvals.get('ap-1', minute(29)))?.state.is, 'pending');
      const expired = await Promise.all([
        store.approvals.expire(minute(30)),
        peer.approvals.expire(minute(30)),
      ]);
      assert.deepEqual(
        expired
          .flat()
          .map(({ id }) => id)
          .sort(),
        ['ap-1', 'ap-2'],
      );
      // From now on also for a clock that is late.
      assert.equal((await store.approvals.get('ap-1', AT))?.state.is, 'expired');
    },
  },
  {
    name: 'requests are listed and counted as of a time, newest first',
    run: async ({ store }) => {
      for (let index = 0; index < 6; index += 1) {
        const times = { createdAt: minute(index >> 1), expiresAt: minute(10 + index) };
        await store.approvals.add(sampleApproval(`ap-${index}`, { ...times, needed: 1 }));
      }
      await store.approvals.answer('ap-5', yes('bob', minute(3)));
      const idsOf = (filter: Parameters<typeof store.approvals.list>[0], at: string) =>
        everyPage((cursor) => store.approvals.list(filter, { limit: 2, cursor }, at)).then((all) =>
          all.map(({ id }) => id),
        );
      assert.deepEqual(await idsOf({}, AT), ['ap-5', 'ap-4', 'ap-3', 'ap-2', 'ap-1', 'ap-0']);
      assert.deepEqual(await idsOf({ state: 'pending' }, minute(12)), ['ap-4', 'ap-3']);
      assert.deepEqual(await idsOf({ state: 'expired' }, minute(12)), ['ap-2', 'ap-1', 'ap-0']);
      assert.deepEqual(await idsOf({ state: 'approved' }, minute(12)), ['ap-5']);
      assert.deepEqual(await idsOf({ requester: 'bob' }, AT), []);
      const none = { rejected: 0, withdrawn: 0, used: 0 };
      assert.deepEqual(await store.approvals.counts(AT), { ...none, pending: 5, approved: 1, expired: 0 });
      assert.deepEqual(await store.approvals.counts(minute(12)), {
        ...none,
        pending: 2,
        approved: 1,
        expired: 3,
      });
    },
  },
  {
    name: 'an exception is decided once',
    run: async ({ store, peer }) => {
      assert.equal(await store.exceptionRequests.add(exception), true);
      assert.equal(await store.exceptionRequests.add(exception), false);
      await store.exceptionRequests.add({ ...exception, id: 'x2', createdAt: minute(1) });
      const decision = { is: 'granted' as const, at: minute(2), note: null, published: null };
      const both = await Promise.all([
        store.exceptionRequests.decide('x1', { ...decision, by: 'bob' }),
        peer.exceptionRequests.decide('x1', { ...decision, by: 'cid', is: 'refused' }),
      ]);
      assert.equal(both.filter(({ ok }) => ok).length, 1);
      assert.notEqual((await store.exceptionRequests.get('x1'))?.state.is, 'pending');
      const unknown = await store.exceptionRequests.decide('x9', { ...decision, by: 'bob' });
      assert.deepEqual(unknown, { ok: false, reason: 'unknown' });
      const pending = await store.exceptionRequests.list({ state: 'pending' }, { limit: 5 });
      assert.deepEqual(pending.items, [
        { ...exception, id: 'x2', createdAt: minute(1), state: { is: 'pending' } },
      ]);
      const all = await everyPage((cursor) => store.exceptionRequests.list({}, { limit: 1, cursor }));
      assert.deepEqual(
        all.map(({ id }) => id),
        ['x2', 'x1'],
      );
    },
  },
];
