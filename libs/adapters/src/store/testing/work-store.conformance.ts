import assert from 'node:assert/strict';
import type { ReplayJob, ShadowCount, ActivityCount, ActivityTotal } from '@wrongstack/contracts/control';
import { AT, minute, sampleHeartbeat } from './sample-records.js';
import type { StoreCase } from './store-harness.js';
import { everyPage } from './store-harness.js';

const job: Omit<ReplayJob, 'etag'> = {
  id: 'rp-1',
  policy: 'payments',
  text: 'rules: []\0',
  draftEtag: 3,
  requester: 'ann',
  createdAt: AT,
  from: null,
  to: null,
  throughSeq: 1_000,
  state: 'queued',
  because: null,
  progress: { seq: 0, looked: 0, skipped: 0, flips: 0, teams: 0 },
  endedAt: null,
};

const shadow: ShadowCount = {
  document: 'payments',
  revision: 3,
  rule: 'no-prod-kube',
  team: null,
  tool: 'bash',
  hour: AT,
  matched: 4,
  diverged: 1,
};

const reported: ActivityCount = {
  hour: AT,
  team: null,
  measure: 'tokens',
  detail: 'input',
  model: 'sonnet',
  amount: 1_000,
};

const promise = { principal: 'ann', route: 'POST /v1/tokens', key: 'k1' };
const times = { at: AT, leaseUntil: minute(1), expiresAt: minute(60) };
const answer = { status: 201, headers: { etag: '"1"' }, body: '{"a":"\\u0000 \0 \ud800"}' };

export const workStoreCases: readonly StoreCase[] = [
  {
    name: "the fleet's newest word counts, and the highest revision that it reported stays",
    run: async ({ store, peer }) => {
      assert.equal(await store.fleet.highestReported(), null);
      await store.fleet.record([sampleHeartbeat('a1', { at: minute(5) }), sampleHeartbeat('a2')]);
      const old = { scope: 'org', epoch: 1, revision: 9 };
      await peer.fleet.record([sampleHeartbeat('a1', { at: minute(4), version: '0.9.0', bundle: old })]);
      assert.equal((await store.fleet.get('a1'))?.version, '1.0.0');
      assert.deepEqual(await store.fleet.highestReported(), { epoch: 1, revision: 9 });
      await store.fleet.record([
        sampleHeartbeat('a3', { at: minute(1), bundle: null, policyState: 'undetermined', version: '2.0.0' }),
        sampleHeartbeat('a3', { at: minute(2), bundle: null, policyState: 'undetermined', version: '2.0.1' }),
      ]);
      assert.equal((await store.fleet.get('a3'))?.version, '2.0.1');
      assert.deepEqual(await store.fleet.counts('version', {}), [
        { value: '1.0.0', count: 2 },
        { value: '2.0.1', count: 1 },
      ]);
      assert.deepEqual(await store.fleet.counts('revision', {}), [
        { value: '1.7', count: 2 },
        { value: null, count: 1 },
      ]);
      const idsOf = async (filter: Parameters<typeof store.fleet.list>[0]): Promise<string[]> =>
        (await everyPage((cursor) => store.fleet.list(filter, { limit: 1, cursor }))).map(
          ({ agent }) => agent,
        );
      assert.deepEqual(await idsOf({}), ['a1', 'a2', 'a3']);
      assert.deepEqual(await idsOf({ silentSince: minute(1) }), ['a2']);
      assert.deepEqual(await idsOf({ belowRevision: { epoch: 1, revision: 8 } }), ['a1', 'a2', 'a3']);
      assert.deepEqual(await idsOf({ belowRevision: { epoch: 1, revision: 7 } }), ['a3']);
      assert.deepEqual(await idsOf({ policyState: 'fresh', team: 'payments', version: '1.0.0' }), [
        'a1',
        'a2',
      ]);
      await store.fleet.record([
        sampleHeartbeat('a1', { at: minute(6), clockSkewMs: -90_000 }),
        sampleHeartbeat('a3', { at: minute(2), bundle: null, clockSkewMs: 60_000 }),
      ]);
      assert.deepEqual(await idsOf({ clockOffMs: 60_000 }), ['a1']);
      assert.deepEqual(await idsOf({ clockOffMs: 59_999 }), ['a1', 'a3']);
      assert.equal(await store.fleet.prune(minute(3)), 2);
      assert.deepEqual(await store.fleet.highestReported(), { epoch: 1, revision: 9 });
    },
  },
  {
    name: 'many agents report at once',
    run: async ({ store, peer }) => {
      await Promise.all(
        Array.from({ length: 10 }, (_, round) =>
          (round % 2 === 0 ? store : peer).fleet.record(
            Array.from({ length: 50 }, (_unused, index) =>
              sampleHeartbeat(`a${(index * 7 + round) % 50}`, {
                at: minute(round),
                bundle: { scope: 'org', epoch: 2, revision: round },
              }),
            ),
          ),
        ),
      );
      assert.deepEqual(await store.fleet.counts('team', {}), [{ value: 'payments', count: 50 }]);
      assert.deepEqual(await peer.fleet.highestReported(), { epoch: 2, revision: 9 });
      assert.equal((await store.fleet.list({ silentSince: minute(9) }, { limit: 100 })).items.length, 0);
    },
  },
  {
    name: 'after a restore the next publication lies above all that the fleet has seen',
    run: async ({ store }) => {
      await store.bundleRevision.setEpoch(1);
      await store.bundleRevision.raise(100);
      const unchanged = { epoch: 1, revision: 100 };
      await store.fleet.record([
        sampleHeartbeat('a1', { bundle: { scope: 'org', epoch: 1, revision: 100 } }),
      ]);
      assert.deepEqual(await store.bundleRevision.recover(null), {
        before: unchanged,
        reported: unchanged,
        after: unchanged,
      });
      await store.fleet.record([
        sampleHeartbeat('a1', { at: minute(1), bundle: { scope: 'org', epoch: 1, revision: 118 } }),
      ]);
      const recovered = await store.bundleRevision.recover({ epoch: 2, revision: 117 });
      assert.deepEqual(recovered.after, { epoch: 2, revision: 119 });
      assert.deepEqual(await store.bundleRevision.raise(), { epoch: 2, revision: 120 });
    },
  },
  {
    name: 'a replay keeps the text that it tries, and repeats no flip',
    run: async ({ store }) => {
      assert.equal(await store.replays.add(job), true);
      assert.equal(await store.replays.add(job), false);
      const progress = { seq: 500, looked: 400, skipped: 2, flips: 3, teams: 2 };
      const moved: ReplayJob = { ...job, etag: 1, state: 'running', progress, text: 'not written' };
      assert.deepEqual(await store.replays.change(moved, 1), { ok: true });
      assert.equal((await store.replays.change(moved, 1)).ok, false);
      assert.deepEqual(await store.replays.get('rp-1'), { ...moved, text: job.text, etag: 2 });
      const flips = Array.from({ length: 2_500 }, (_, index) => ({
        seq: index + 1,
        at: AT,
        actor: null,
        team: index % 2 === 0 ? 'payments' : null,
        tool: 'bash',
        before: 'allow' as const,
        after: 'deny' as const,
        by: 'rule \0',
      }));
      await store.replays.addFlips('rp-1', flips);
      await store.replays.addFlips('rp-1', flips.slice(100, 200));
      const all = await everyPage((cursor) => store.replays.flips('rp-1', {}, { limit: 1_000, cursor }));
      assert.deepEqual(all, flips);
      const some = await store.replays.flips('rp-1', { team: 'payments', tool: 'bash' }, { limit: 2 });
      assert.deepEqual(
        some.items.map(({ seq }) => seq),
        [1, 3],
      );
      assert.equal((await store.replays.list('payments', { limit: 5 })).items.length, 1);
      assert.deepEqual(await store.replays.flipCounts('rp-1', 5), [
        { team: null, count: 1_250 },
        { team: 'payments', count: 1_250 },
      ]);
      assert.deepEqual(
        (await store.replays.unfinished(5)).map(({ id }) => id),
        ['rp-1'],
      );
      assert.deepEqual(await store.replays.change({ ...moved, etag: 2, state: 'done', endedAt: AT }, 2), {
        ok: true,
      });
      assert.deepEqual(await store.replays.unfinished(5), []);
    },
  },
  {
    name: 'what happened on command lines adds up, by whatever is asked for',
    run: async ({ store, peer }) => {
      const window = { from: AT, to: minute(60) };
      assert.deepEqual(await store.activity.totals(window, []), []);
      await Promise.all([
        store.activity.add([reported, reported, { ...reported, team: 'infra', amount: 5 }]),
        peer.activity.add([{ ...reported, measure: 'costMicros', detail: '', amount: 4_000_000_000_000 }]),
        peer.activity.add([{ ...reported, measure: 'prompts', detail: '', model: null, amount: 3 }]),
        peer.activity.add([{ ...reported, hour: minute(60) }]),
        peer.activity.add([]),
      ]);
      const sorted = (totals: readonly ActivityTotal[]) =>
        totals.toSorted((one, other) => one.amount - other.amount);
      assert.deepEqual(sorted(await store.activity.totals(window, ['measure', 'model'])), [
        { measure: 'prompts', model: null, amount: 3 },
        { measure: 'tokens', model: 'sonnet', amount: 2_005 },
        { measure: 'costMicros', model: 'sonnet', amount: 4_000_000_000_000 },
      ]);
      assert.deepEqual(sorted(await peer.activity.totals({ ...window, to: minute(120) }, ['hour', 'team'])), [
        { hour: AT, team: 'infra', amount: 5 },
        { hour: minute(60), team: null, amount: 1_000 },
        { hour: AT, team: null, amount: 4_000_000_002_003 },
      ]);
    },
  },
  {
    name: 'shadow counts add up',
    run: async ({ store, peer }) => {
      await Promise.all([
        store.shadow.add([shadow, shadow, { ...shadow, team: 'infra', diverged: 4 }]),
        peer.shadow.add([{ ...shadow, hour: minute(60) }]),
        peer.shadow.add([{ ...shadow, revision: 4, diverged: 0 }]),
      ]);
      const { hour: _, ...total } = shadow;
      assert.deepEqual(await store.shadow.totals({ document: 'payments' }), [
        { ...total, team: 'infra', diverged: 4 },
        { ...total, matched: 12, diverged: 3 },
        { ...total, revision: 4, diverged: 0 },
      ]);
      assert.deepEqual(await store.shadow.totals({ document: 'payments', revision: 3, from: minute(60) }), [
        total,
      ]);
      assert.deepEqual(await store.shadow.totals({ document: 'payments', to: AT }), []);
    },
  },
  {
    name: 'a promise is kept once, and its answer is given again',
    run: async ({ store, peer }) => {
      const begun = await Promise.all(
        [store, peer, store, peer].map(({ idempotency }) => idempotency.begin(promise, 'digest', times)),
      );
      assert.deepEqual(begun.map(({ outcome }) => outcome).sort(), ['mine', 'running', 'running', 'running']);
      assert.deepEqual(await peer.idempotency.begin(promise, 'another', times), { outcome: 'other-request' });
      await store.idempotency.finish(promise, answer);
      assert.deepEqual(await peer.idempotency.begin(promise, 'digest', times), {
        outcome: 'answered',
        answer,
      });
      assert.deepEqual(await peer.idempotency.begin({ ...promise, principal: 'bob' }, 'another', times), {
        outcome: 'mine',
      });
      await store.idempotency.abandon(promise);
      assert.equal((await store.idempotency.begin(promise, 'digest', times)).outcome, 'answered');
      const later = { at: minute(60), leaseUntil: minute(61), expiresAt: minute(120) };
      assert.equal((await store.idempotency.begin(promise, 'another', later)).outcome, 'mine');
      assert.equal(await store.idempotency.prune(minute(60)), 1);
    },
  },
  {
    name: 'a promise whose keeper died or gave up goes to the next',
    run: async ({ store }) => {
      await store.idempotency.begin(promise, 'digest', times);
      const later = { at: minute(1), leaseUntil: minute(2), expiresAt: minute(60) };
      assert.equal((await store.idempotency.begin(promise, 'another', later)).outcome, 'other-request');
      assert.equal((await store.idempotency.begin(promise, 'digest', later)).outcome, 'mine');
      assert.equal((await store.idempotency.begin(promise, 'digest', later)).outcome, 'running');
      await store.idempotency.abandon(promise);
      assert.equal((await store.idempotency.begin(promise, 'digest', later)).outcome, 'mine');
    },
  },
  {
    name: 'in one transaction with its work a promise makes the second request wait for the answer',
    run: async ({ store, peer }) => {
      const attempt = (side: typeof store) =>
        side.transaction(async (tx) => {
          const begun = await tx.idempotency.begin(promise, 'digest', times);
          if (begun.outcome === 'mine') {
            await tx.bundleRevision.raise();
            await tx.idempotency.finish(promise, answer);
          }
          return begun.outcome;
        });
      const outcomes = await Promise.all([attempt(store), attempt(peer), attempt(store)]);
      assert.deepEqual(outcomes.sort(), ['answered', 'answered', 'mine']);
      assert.equal((await store.bundleRevision.current()).revision, 1);
    },
  },
  {
    name: 'what was used up counts once a report, for everybody whom it is about',
    run: async ({ store, peer }) => {
      const holders = [
        { kind: 'user', name: 'ann' },
        { kind: 'team', name: 'payments' },
      ] as const;
      const report = (key: string, principal: string, day = '2026-12-01') => ({
        ...{ principal, key, at: AT, day },
        holders: principal === 'a-bob' ? holders.slice(1) : holders,
        used: { tokens: 100, costUsd: 0.1, toolCalls: 2 },
      });
      const added = await Promise.all([
        store.usage.add(report('k1', 'a-1')),
        peer.usage.add(report('k1', 'a-1')),
        peer.usage.add(report('k1', 'a-bob')),
        store.usage.add(report('k2', 'a-1', '2026-12-02')),
        store.usage.add({ ...report('k3', 'a-1'), used: { tokens: 0, costUsd: 0, toolCalls: 0 } }),
      ]);
      assert.equal(added.filter((one) => one).length, 4);
      const [ann, payments] = holders;
      const once = { tokens: 100, costUsd: 0.1, toolCalls: 2 };
      assert.deepEqual(await store.usage.of(ann, '2026-12-01', '2026-12-01'), once);
      const three = { tokens: 300, costUsd: 0.3, toolCalls: 6 };
      assert.deepEqual(await store.usage.of(payments, '2026-12-01', '2026-12-31'), three);
      assert.deepEqual(await store.usage.of(payments, '2027-01-01', '2027-01-31'), {
        ...{ tokens: 0, costUsd: 0, toolCalls: 0 },
      });
      assert.deepEqual(await peer.usage.list('user', '2026-12-01', '2026-12-02', 10), [
        { name: 'ann', tokens: 200, costUsd: 0.2, toolCalls: 4 },
      ]);
      await store.usage.prune(minute(1), '2026-12-02');
      assert.equal(await store.usage.add(report('k1', 'a-1', '2026-12-03')), true);
      assert.equal((await store.usage.of(payments, '2026-12-01', '2026-12-31')).tokens, 200);
    },
  },
  {
    name: 'more than anybody can use up is as much as there is, however often it is said, and sums stay whole numbers',
    run: async ({ store }) => {
      const holder = { kind: 'user', name: 'ann' } as const;
      const used = { tokens: 2e18, costUsd: 2e18, toolCalls: 9e15 };
      for (const [key, day] of [
        ['k1', '01'],
        ['k2', '01'],
        ['k3', '02'],
      ] as const)
        await store.usage.add({
          principal: 'a-1',
          key,
          at: AT,
          day: `2026-12-${day}`,
          holders: [holder],
          used,
        });
      assert.deepEqual(await store.usage.of(holder, '2026-12-01', '2026-12-31'), {
        ...{ tokens: 2e13, costUsd: 2e7, toolCalls: 2e13 },
      });
      const count = {
        hour: '2026-12-01T10:00:00.000Z',
        team: null,
        measure: 'tokens',
        detail: 'input',
        model: 'm',
      } as const;
      await store.activity.add([
        { ...count, amount: 2e18 },
        { ...count, model: 'n', amount: 5 },
      ]);
      await store.activity.add([{ ...count, amount: 2e18 }]);
      const hours = { from: '2026-12-01T00:00:00.000Z', to: '2026-12-02T00:00:00.000Z' };
      assert.deepEqual(
        (await store.activity.totals(hours, [])).map(({ amount }) => amount),
        [1e13 + 5],
      );
    },
  },
  {
    name: 'the fleet says how much of its audit logs is still on the way',
    run: async ({ store }) => {
      assert.equal(await store.fleet.spooledBytes(), 0);
      await store.fleet.record([
        sampleHeartbeat('a1', { spooled: 1_000 }),
        sampleHeartbeat('a2', { spooled: 20 }),
      ]);
      await store.fleet.record([sampleHeartbeat('a1', { at: minute(9), spooled: 0 })]);
      assert.equal(await store.fleet.spooledBytes(), 20);
    },
  },
];
