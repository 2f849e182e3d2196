import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPorts } from '@wrongstack/contracts/control';
import { rejectsWithCode } from '../../testing/conformance-case.js';
import { AT, SampleSource } from './sample-records.js';
import type { StoreCase } from './store-harness.js';

const policy = (id: string) => ({ id, tier: 'team' as const, ref: 'r', createdBy: 'ann', createdAt: AT });

export const unitOfWorkCases: readonly StoreCase[] = [
  {
    name: 'all of a transaction is there or nothing',
    run: async ({ store, peer }) => {
      const failure = new Error('changed my mind');
      const attempt = store.transaction(async (tx) => {
        await tx.policies.create(policy('p1'));
        await tx.bundleRevision.raise();
        await tx.audit.append(new SampleSource().batch(3), AT);
        await tx.identities.setSettings({ a: 1 }, 0);
        throw failure;
      });
      await assert.rejects(attempt, (thrown) => thrown === failure);
      assert.equal(await peer.policies.get('p1'), null);
      assert.equal((await peer.bundleRevision.current()).revision, 0);
      assert.equal((await peer.audit.head()).seq, 0);
      assert.equal((await peer.identities.settings()).etag, 0);
      const result = await store.transaction(async (tx) => {
        await tx.policies.create(policy('p1'));
        return (await tx.bundleRevision.raise()).revision;
      });
      assert.equal(result, 1);
      assert.equal((await peer.policies.get('p1'))?.id, 'p1');
    },
  },
  {
    name: 'nobody sees half of it',
    run: async ({ store, peer }) => {
      let done = false;
      const writing = (async () => {
        for (let round = 0; round < 20; round += 1) {
          await store.transaction(async (tx) => {
            await tx.policies.create(policy(`p${String(round).padStart(2, '0')}`));
            await sleep(1);
            await tx.bundleRevision.raise();
          });
        }
        done = true;
      })();
      while (!done) {
        const { revision } = await peer.bundleRevision.current();
        const { items } = await peer.policies.list({}, { limit: 100 });
        assert(items.length >= revision, `${items.length} policies, revision ${revision}`);
        await sleep(1);
      }
      await writing;
    },
  },
  {
    name: 'two that lock in opposite orders both get through',
    run: async ({ store, peer }) => {
      await store.identities.setSettings({}, 0);
      const raiseThenAppend = (tx: ControlPorts, name: string) =>
        tx.bundleRevision
          .raise()
          .then(() => sleep(5))
          .then(() => tx.audit.append(new SampleSource(name).batch(1), AT));
      const appendThenRaise = (tx: ControlPorts, name: string) =>
        tx.audit
          .append(new SampleSource(name).batch(1), AT)
          .then(() => sleep(5))
          .then(() => tx.bundleRevision.raise());
      await Promise.all(
        [0, 1, 2].flatMap((index) => [
          store.transaction((tx) => raiseThenAppend(tx, `one/${index}`)),
          peer.transaction((tx) => appendThenRaise(tx, `two/${index}`)),
        ]),
      );
      assert.equal((await store.bundleRevision.current()).revision, 6);
      assert.equal((await store.audit.head()).seq, 6);
    },
  },
  {
    name: 'a call past the transaction that surrounds it is refused instead of waiting for itself',
    run: async ({ store }) => {
      await store.transaction(async (tx) => {
        await rejectsWithCode(store.policies.get('p1'), 'store.nested');
        await rejectsWithCode(store.audit.append(new SampleSource().batch(1), AT), 'store.nested');
        await rejectsWithCode(
          store.transaction(() => Promise.resolve()),
          'store.nested',
        );
        assert.equal(await tx.policies.create(policy('p1')), true);
      });
      assert.equal((await store.policies.get('p1'))?.id, 'p1');
    },
  },
  {
    name: 'the ports of a transaction end with it',
    run: async ({ store }) => {
      const leaked = await store.transaction((tx) => Promise.resolve(tx));
      await rejectsWithCode(leaked.policies.create(policy('p1')), 'store.closed');
      assert.equal(await store.policies.get('p1'), null);
    },
  },
  {
    name: 'ping answers, and a closed store says that it is closed',
    run: async ({ store }) => {
      await store.ping();
      await store.close();
      await store.close();
      await rejectsWithCode(store.ping(), 'store.closed');
      await rejectsWithCode(store.policies.get('p1'), 'store.closed');
      await rejectsWithCode(store.audit.append(new SampleSource().batch(1), AT), 'store.closed');
    },
  },
];
