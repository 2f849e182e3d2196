import assert from 'node:assert/strict';
import type { RunId } from '@wrongstack/contracts';
import type { ServerRun } from '@wrongstack/contracts/control';
import { rejectsWithCode } from '../../testing/conformance-case.js';
import { AT, DIFFICULT_TEXTS, minute } from './sample-records.js';
import type { StoreCase } from './store-harness.js';
import { everyPage } from './store-harness.js';

// Ids of runs are made by newId; these are as good.
const runId = (name: string): RunId => name as RunId;

const run: Omit<ServerRun, 'etag'> = {
  id: runId('r-1'),
  requester: 'ann',
  team: 'payments',
  spec: { prompt: 'a\0\ud800' },
  state: 'queued',
  createdAt: AT,
  startedAt: null,
  endedAt: null,
  cancel: null,
  result: null,
};

export const runStoreCases: readonly StoreCase[] = [
  {
    name: 'a run moves under its tag, and its events are one row without gaps',
    run: async ({ store, peer }) => {
      assert.equal(await store.runs.add(run), true);
      assert.equal(await store.runs.add(run), false);
      assert.deepEqual(await peer.runs.get(run.id), { ...run, etag: 1 });
      const both = await Promise.all([
        store.runs.change({ ...run, etag: 1, state: 'running', startedAt: minute(1) }, 1),
        peer.runs.change({ ...run, etag: 1, state: 'cancelled', cancel: { by: 'bob', at: AT } }, 1),
      ]);
      assert.equal(both.filter(({ ok }) => ok).length, 1);
      const events = DIFFICULT_TEXTS.map((text, index) => ({
        seq: index + 1,
        at: AT,
        type: text,
        data: { text },
      }));
      assert.equal(await store.runs.lastEvent(run.id), 0);
      assert.equal(await store.runs.appendEvents(run.id, events), true);
      assert.equal(await peer.runs.lastEvent(run.id), events.length);
      assert.equal(await store.runs.lastEvent(runId('r-9')), null);
      const next = [{ seq: events.length + 1, at: AT, type: 'end', data: null }];
      const appended = await Promise.all([
        store.runs.appendEvents(run.id, next),
        peer.runs.appendEvents(run.id, next),
      ]);
      assert.deepEqual(appended.sort(), [false, true]);
      assert.deepEqual(await store.runs.events(run.id, 0, 1_000), [...events, ...next]);
      assert.deepEqual(await store.runs.events(run.id, 2, 3), events.slice(2, 5));
      await rejectsWithCode(store.runs.appendEvents(runId('r-9'), next), 'store.unknown_parent');
      await store.runs.add({ ...run, id: runId('r-2'), requester: 'bob', createdAt: minute(1) });
      const listed = await everyPage((cursor) => store.runs.list({}, { limit: 1, cursor }));
      assert.deepEqual(
        listed.map(({ id }) => id),
        ['r-2', 'r-1'],
      );
      assert.equal(
        (await store.runs.list({ requester: 'bob', state: 'queued' }, { limit: 5 })).items.length,
        1,
      );
    },
  },
  {
    name: 'the end of a run and its last event are one, whoever writes them first',
    run: async ({ store, peer }) => {
      await store.runs.add(run);
      const end = (side: typeof store, state: 'succeeded' | 'failed') =>
        side.transaction(async (tx) => {
          const found = await tx.runs.get(run.id);
          assert.ok(found);
          if (found.state !== 'queued') return false;
          const { ok } = await tx.runs.change({ ...found, state, endedAt: AT }, found.etag);
          const seq = 1 + ((await tx.runs.lastEvent(run.id)) ?? 0);
          return ok && (await tx.runs.appendEvents(run.id, [{ seq, at: AT, type: 'end', data: { state } }]));
        });
      const ended = await Promise.all([
        end(store, 'succeeded'),
        end(peer, 'failed'),
        end(store, 'failed'),
        end(peer, 'succeeded'),
      ]);
      assert.equal(ended.filter(Boolean).length, 1);
      const [event, ...more] = await store.runs.events(run.id, 0, 10);
      assert.deepEqual([event?.data, more], [{ state: (await peer.runs.get(run.id))?.state }, []]);
    },
  },
];
