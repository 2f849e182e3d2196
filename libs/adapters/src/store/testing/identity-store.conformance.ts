import assert from 'node:assert/strict';
import type { DeviceEnrolment, SessionRecord, TokenRecord, UserRecord } from '@wrongstack/contracts/control';
import { rejectsWithCode } from '../../testing/conformance-case.js';
import { AT, minute, sampleAgent, sampleSecret } from './sample-records.js';
import type { StoreCase } from './store-harness.js';
import { everyPage } from './store-harness.js';

const ann: Omit<UserRecord, 'etag'> = {
  id: 'ann',
  name: 'Ann \0 É',
  email: null,
  subject: { issuer: 'https://id.example', subject: 'a\0\ud800'.repeat(300) },
  teams: ['payments'],
  roles: ['developer'],
  createdAt: AT,
  disabledAt: null,
};

const token: TokenRecord = {
  id: 't1',
  kind: 'api',
  name: 'ci',
  secretHash: 'ab',
  principal: { id: 'ci', kind: 'service' },
  teams: ['payments'],
  roles: ['policyEditor'],
  scopes: ['policies:write'],
  createdBy: 'ann',
  createdAt: AT,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

const session: SessionRecord = {
  id: 's1',
  secretHash: 'ab',
  user: 'ann',
  proof: { kind: 'oidc', issuer: 'https://id.example', groups: ['g\0'] },
  createdAt: AT,
  expiresAt: minute(60),
  lastSeenAt: AT,
};

const enrolment: DeviceEnrolment = {
  deviceHash: 'd1',
  userCode: 'ABCD-EFGH',
  refreshHash: 's1',
  device: { name: 'laptop', host: null, version: '1.0.0', platform: null },
  createdAt: AT,
  expiresAt: minute(10),
  state: { is: 'pending' },
};

export const identityStoreCases: readonly StoreCase[] = [
  {
    name: 'a user is known by id and by subject, and changes under a tag',
    run: async ({ store, peer }) => {
      assert.equal(await store.identities.addUser(ann), true);
      assert.equal(await store.identities.addUser(ann), false);
      assert.equal(await store.identities.addUser({ ...ann, id: 'ann2' }), false);
      assert.equal(await store.identities.addUser({ ...ann, id: 'bob', subject: null }), true);
      assert.equal(await store.identities.addUser({ ...ann, id: 'cid', subject: null }), true);
      const known = await peer.identities.userBySubject('https://id.example', ann.subject?.subject ?? '');
      assert.deepEqual(known, { ...ann, etag: 1 });
      assert.equal(await store.identities.userBySubject('https://other.example', 'a'), null);
      const both = await Promise.all([
        store.identities.changeUser({ ...known, roles: ['admin'], createdAt: 'never' }, 1),
        peer.identities.changeUser({ ...known, roles: ['auditor'], createdAt: 'never' }, 1),
      ]);
      assert.equal(both.filter(({ ok }) => ok).length, 1);
      const now = await store.identities.user('ann');
      assert.deepEqual([now?.etag, now?.createdAt], [2, AT]);
      const all = await everyPage((cursor) => store.identities.users({ limit: 2, cursor }));
      assert.deepEqual(
        all.map(({ id }) => id),
        ['ann', 'bob', 'cid'],
      );
    },
  },
  {
    name: 'mappings and settings are edited as a whole',
    run: async ({ store, peer }) => {
      assert.deepEqual(await store.identities.groupMappings(), { etag: 0, value: [] });
      assert.deepEqual(await store.identities.settings(), { etag: 0, value: {} });
      const mappings = [{ group: 'g\0', teams: ['payments'], roles: ['approver' as const] }];
      const both = await Promise.all([
        store.identities.setGroupMappings(mappings, 0),
        peer.identities.setGroupMappings([], 0),
      ]);
      assert.equal(both.filter(({ ok }) => ok).length, 1);
      assert.deepEqual(await store.identities.setSettings({ fourEyes: true }, 0), { ok: true });
      assert.deepEqual(await store.identities.setSettings({ fourEyes: false }, 0), {
        ok: false,
        reason: 'stale',
        current: { etag: 1, value: { fourEyes: true } },
      });
      assert.deepEqual(await peer.identities.setSettings({ fourEyes: false }, 1), { ok: true });
      assert.deepEqual(await store.identities.settings(), { etag: 2, value: { fourEyes: false } });
    },
  },
  {
    name: 'a token is revoked once, and its last use only goes forward',
    run: async ({ store, peer }) => {
      assert.equal(await store.tokens.add(token), true);
      assert.equal(await store.tokens.add({ ...token, secretHash: 'other' }), false);
      await store.tokens.touch('t1', minute(5));
      await peer.tokens.touch('t1', minute(3));
      assert.deepEqual(await store.tokens.get('t1'), { ...token, lastUsedAt: minute(5) });
      const both = await Promise.all([
        store.tokens.revoke('t1', minute(6)),
        peer.tokens.revoke('t1', minute(6)),
      ]);
      assert.deepEqual(both.sort(), [false, true]);
      assert.equal((await store.tokens.get('t1'))?.revokedAt, minute(6));
      assert.equal(await store.tokens.get("t1' or '1'='1"), null);
      await rejectsWithCode(store.tokens.get('t\0'), 'store.bad_key');
      await rejectsWithCode(store.tokens.get('\ud800'), 'store.bad_key');
      await rejectsWithCode(store.tokens.get('x'.repeat(513)), 'store.bad_key');
    },
  },
  {
    name: 'tokens are listed and forgotten by kind',
    run: async ({ store }) => {
      for (const id of ['a1', 'a2', 'a3']) {
        const principal = { id: 'agent-1', kind: 'agent' as const };
        await store.tokens.add({ ...token, id, kind: 'access', principal, expiresAt: minute(Number(id[1])) });
      }
      await store.tokens.add({ ...token, expiresAt: AT });
      const listed = await everyPage((cursor) => store.tokens.list({ kind: 'access' }, { limit: 2, cursor }));
      assert.deepEqual(
        listed.map(({ id }) => id),
        ['a1', 'a2', 'a3'],
      );
      assert.equal((await store.tokens.list({ principal: 'ci' }, { limit: 5 })).items.length, 1);
      assert.equal(await store.tokens.prune(minute(3)), 2);
      assert.notEqual(await store.tokens.get('t1'), null);
      assert.equal(await store.tokens.revokeAllOf('agent-1', minute(1)), 1);
    },
  },
  {
    name: 'a session is found by its secret alone, and its last sign of life only goes forward',
    run: async ({ store, peer }) => {
      assert.equal(await store.sessions.add(session), true);
      assert.equal(await store.sessions.add({ ...session, secretHash: 'cd' }), false);
      assert.equal(await peer.sessions.add({ ...session, id: 's9' }), false);
      await store.sessions.touch('s1', minute(5));
      await peer.sessions.touch('s1', minute(3));
      assert.deepEqual(await peer.sessions.get('ab'), { ...session, lastSeenAt: minute(5) });
      assert.equal(await store.sessions.get('s1'), null);
      const both = await Promise.all([store.sessions.remove('s1'), peer.sessions.remove('s1')]);
      assert.deepEqual(both.sort(), [false, true]);
      assert.equal(await peer.sessions.get('ab'), null);
    },
  },
  {
    name: 'sessions of a person are listed, the newest first, and forgotten once they are over',
    run: async ({ store }) => {
      for (const number of [1, 2, 3, 4])
        await store.sessions.add({
          ...session,
          id: `s${number}`,
          secretHash: `h${number}`,
          createdAt: minute(number),
          expiresAt: minute(number === 1 ? 10 : 60),
          lastSeenAt: minute(number),
        });
      await store.sessions.add({ ...session, id: 'other', secretHash: 'x', user: 'bob' });
      const ids = async (): Promise<string[]> => (await store.sessions.ofUser('ann', 3)).map(({ id }) => id);
      assert.deepEqual(await ids(), ['s4', 's3', 's2']);
      // s1 has expired; bob and s2 were not seen for too long.
      assert.equal(await store.sessions.prune(minute(11), minute(3)), 3);
      assert.deepEqual(await ids(), ['s4', 's3']);
    },
  },
  {
    name: 'a refresh secret works once, and its second use revokes the agent with its tokens',
    run: async ({ store, peer }) => {
      const agent = sampleAgent('agent-1');
      assert.equal(await store.agents.add(agent, sampleSecret('s1')), true);
      assert.equal(await store.agents.add(agent, sampleSecret('s9')), false);
      await store.tokens.add({ ...token, kind: 'access', principal: { id: 'agent-1', kind: 'agent' } });
      assert.deepEqual(await store.agents.rotate('nobody', sampleSecret('x'), AT), { outcome: 'unknown' });
      assert.deepEqual(await store.agents.rotate('s1', sampleSecret('s2'), minute(1)), {
        outcome: 'rotated',
        agent,
      });
      assert.equal((await peer.agents.rotate('s2', sampleSecret('s3'), minute(2))).outcome, 'rotated');
      const reused = await store.agents.rotate('s1', sampleSecret('s4'), minute(3));
      assert(reused.outcome === 'reused');
      assert.equal(reused.agent.revoked?.at, minute(3));
      assert.equal((await store.agents.rotate('s3', sampleSecret('s5'), minute(4))).outcome, 'revoked');
      assert.equal((await store.tokens.get('t1'))?.revokedAt, minute(3));
    },
  },
  {
    name: 'of two that present the same secret at once one is a reuse',
    run: async ({ store, peer }) => {
      for (let round = 0; round < 10; round += 1) {
        await store.agents.add(sampleAgent(`agent-${round}`), sampleSecret(`s${round}`));
        const both = await Promise.all([
          store.agents.rotate(`s${round}`, sampleSecret(`one${round}`), AT),
          peer.agents.rotate(`s${round}`, sampleSecret(`two${round}`), AT),
        ]);
        assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ['reused', 'rotated']);
        assert.notEqual((await store.agents.get(`agent-${round}`))?.revoked, null);
      }
    },
  },
  {
    name: 'a rotation whose answer was lost can be asked for again, as long as its secret is the newest',
    run: async ({ store, peer }) => {
      await store.agents.add(sampleAgent('agent-1'), sampleSecret('s1'));
      const both = await Promise.all([
        store.agents.rotate('s1', sampleSecret('s2'), AT),
        peer.agents.rotate('s1', sampleSecret('s2'), AT),
      ]);
      assert.deepEqual(
        both.map(({ outcome }) => outcome),
        ['rotated', 'rotated'],
      );
      assert.equal((await store.agents.rotate('s1', sampleSecret('s2'), minute(1))).outcome, 'rotated');
      assert.equal((await store.agents.rotate('s2', sampleSecret('s3'), minute(2))).outcome, 'rotated');
      assert.equal((await store.agents.rotate('s1', sampleSecret('s2'), minute(3))).outcome, 'reused');
      assert.equal((await store.agents.rotate('s3', sampleSecret('s4'), minute(4))).outcome, 'revoked');
    },
  },
  {
    name: 'an expired secret rotates nothing, and an agent is revoked once',
    run: async ({ store }) => {
      await store.agents.add(sampleAgent('agent-1'), sampleSecret('s1', minute(5)));
      assert.equal((await store.agents.rotate('s1', sampleSecret('s2'), minute(5))).outcome, 'expired');
      assert.equal(await store.agents.revoke('agent-1', 'lost', minute(6)), true);
      assert.equal(await store.agents.revoke('agent-1', 'again', minute(7)), false);
      assert.deepEqual((await store.agents.get('agent-1'))?.revoked, { at: minute(6), because: 'lost' });
      assert.equal((await store.agents.list({ owner: 'ann' }, { limit: 5 })).items.length, 1);
      assert.equal((await store.agents.list({ owner: 'bob' }, { limit: 5 })).items.length, 0);
    },
  },
  {
    name: 'a device is confirmed once and let in once',
    run: async ({ store, peer }) => {
      assert.equal(await store.agents.addEnrolment(enrolment), true);
      assert.equal(await store.agents.addEnrolment({ ...enrolment, deviceHash: 'd2' }), false);
      assert.deepEqual(await peer.agents.enrolmentByUserCode('ABCD-EFGH'), enrolment);
      assert.deepEqual(await store.agents.useEnrolment('d1', 'agent-1', AT), {
        ok: false,
        reason: 'pending',
      });
      const decision = { by: 'ann', at: minute(1), teams: ['payments'] };
      const decided = await Promise.all([
        store.agents.decideEnrolment('ABCD-EFGH', { ...decision, is: 'approved' }),
        peer.agents.decideEnrolment('ABCD-EFGH', { ...decision, is: 'approved' }),
      ]);
      assert.equal(decided.filter(({ ok }) => ok).length, 1);
      const used = await Promise.all(
        [store, peer, store, peer].map(({ agents }, index) =>
          agents.useEnrolment('d1', `agent-${index}`, minute(2)),
        ),
      );
      assert.equal(used.filter(({ ok }) => ok).length, 1);
      assert.equal((await store.agents.enrolmentByDevice('d1'))?.state.is, 'used');
    },
  },
  {
    name: 'a device that was refused or came late stays outside',
    run: async ({ store }) => {
      await store.agents.addEnrolment(enrolment);
      const decision = { by: 'ann', at: minute(10), teams: [] };
      assert.deepEqual(await store.agents.decideEnrolment('ABCD-EFGH', { ...decision, is: 'approved' }), {
        ok: false,
        reason: 'expired',
      });
      await store.agents.decideEnrolment('ABCD-EFGH', { ...decision, is: 'denied', at: minute(1) });
      assert.deepEqual(await store.agents.useEnrolment('d1', 'agent-1', minute(2)), {
        ok: false,
        reason: 'denied',
      });
      assert.deepEqual(await store.agents.useEnrolment('d9', 'agent-1', AT), {
        ok: false,
        reason: 'unknown',
      });
      assert.equal(await store.agents.prune(minute(11)), 1);
      assert.equal(await store.agents.enrolmentByDevice('d1'), null);
    },
  },
];
