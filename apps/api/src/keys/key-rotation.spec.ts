import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger, systemClock } from '@wrongstack/contracts';
import type { StoredTexts } from '@wrongstack/contracts/control';
import {
  generateSigningKey,
  judgeAnswer,
  openKeyDocument,
  openTexts,
  privateKeyText,
  type ServerAnswer,
} from '@wrongstack/policy/bundle';
import { type ControlPlace, openControl } from '../control/open-control.js';
import { operate } from '../operator/operate.js';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(120_000);

const POLICY = (id: string) => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: ${id}, revision: 1, scope: { tier: org } }
rules:
  - { id: no, effect: deny, actions: [net.outbound], because: a test }
`;
const NOTHING: StoredTexts = { keys: null, held: null, time: null, floor: null, damage: null };

/** An enrolled client that believes what the libraries let it believe. */
class Client {
  #texts = NOTHING;

  constructor(
    private readonly rootKey: string,
    private readonly ask: () => Promise<Required<ServerAnswer>>,
  ) {}

  async judge(answer: ServerAnswer) {
    const held = await openTexts(this.#texts, this.rootKey, 'test');
    const trusted = { scope: 'org', rootKey: this.rootKey, clock: Date.now() };
    const { change, accepted, refused } = await judgeAnswer(held, answer, trusted);
    this.#texts = { ...this.#texts, ...change };
    return { accepted, refused: refused?.code ?? null };
  }

  async fetch() {
    const answer = await this.ask();
    return { answer, ...(await this.judge(answer)) };
  }

  async epoch(): Promise<number | undefined> {
    return (await openTexts(this.#texts, this.rootKey, 'test')).held?.bundle.epoch;
  }
}

describe('keys that are rotated under a fleet', () => {
  let api: TestApi;
  let ed: string;
  let client: Client;
  beforeAll(async () => {
    api = await TestApi.start();
    ed = await api.person('ed', ['policyEditor']);
    await publish('first');
    client = new Client(api.control.keys.publicKey, async () => {
      const bundle = await api.request('GET', '/v1/bundles/org', { token: ed });
      const keys = await api.request('GET', '/v1/keys', { user: null });
      return {
        keys: keys.body,
        bundle: bundle.body,
        timestamp: String(bundle.headers['wrongstack-timestamp']),
      };
    });
  });
  afterAll(() => api.stop());

  async function publish(id: string) {
    await api.request('POST', '/v1/policies', { token: ed, body: { text: POLICY(id) } });
    const { status } = await api.request('POST', `/v1/policies/${id}/publications`, {
      token: ed,
      body: { expectedRevision: 0 },
    });
    expect(status).toBe(201);
  }

  it('reach a client with the next answer; what the key before signed is refused from then on', async () => {
    const before = await client.fetch();
    expect([before.accepted, before.refused, await client.epoch()]).toEqual([true, null, 1]);

    await api.control.keys.rotate();

    const after = await client.fetch();
    expect([after.accepted, after.refused, await client.epoch()]).toEqual([true, null, 2]);
    expect((await client.judge({ bundle: before.answer.bundle, timestamp: null })).refused).toBe(
      'bundle.other_epoch',
    );
    expect((await client.judge({ keys: before.answer.keys, timestamp: null })).refused).toBe(
      'bundle.old_keys',
    );
    expect(await client.epoch()).toBe(2);
    const { items } = await api.control.control.store.audit.search({ kind: 'note' }, { limit: 1 });
    expect(items[0]?.entry.data).toMatchObject({ action: 'keys.rotated', epoch: 2 });
  });

  it('keep the key before for a month, for clients that were away', async () => {
    const { body } = await api.request('GET', '/v1/keys', { user: null });
    const { keys } = openKeyDocument(body, api.control.keys.publicKey);
    expect(keys).toHaveLength(2);
    const days = (Date.parse(keys[0]!.notAfter) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThan(31);
  });

  it('leave out what another root vouches for', async () => {
    const other = new Client(
      api.control.keys.publicKey.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
      async () => ({
        keys: (await api.request('GET', '/v1/keys', { user: null })).body,
        bundle: undefined,
        timestamp: null,
      }),
    );
    expect((await other.fetch()).refused).not.toBeNull();
    expect(await other.epoch()).toBeUndefined();
  });
});

describe('the root key and the commands of an operator', () => {
  let folder: string;
  let place: ControlPlace;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-keys-')));
    place = { databaseUrl: null, folder, organisation: 'acme', url: 'http://127.0.0.1', sealKey: null };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const root = () => path.join(folder, 'root.key');
  const open = () => openControl(place, silentLogger, [], systemClock);

  async function signingKey() {
    const parts = await open();
    try {
      const { key, epoch } = await parts.keys.signer();
      return { keyId: key.keyId, epoch, publicKey: parts.keys.publicKey };
    } finally {
      await parts.close();
    }
  }

  it('signs on while the root key is away, makes no new key, and makes one once it is back', async () => {
    const first = await signingKey();
    renameSync(root(), `${root()}.safe`);
    expect(await signingKey()).toEqual(first);
    await expect(operate(['--rotate-keys'], place)).rejects.toMatchObject({ code: 'keys.root_away' });
    expect(await signingKey()).toEqual(first);

    renameSync(`${root()}.safe`, root());
    expect(await operate(['--rotate-keys'], place)).toMatch(/^signing key k-[0-9a-f]{12} of epoch 2; /);
    renameSync(root(), `${root()}.safe`);
    const second = await signingKey();
    expect([second.epoch, second.publicKey]).toEqual([2, first.publicKey]);
    expect(second.keyId).not.toBe(first.keyId);
  });

  it('refuses to start with another root key than clients have pinned', async () => {
    await signingKey();
    writeFileSync(root(), privateKeyText(generateSigningKey('root')));
    await expect(open()).rejects.toMatchObject({ code: 'keys.other_root' });
    await expect(operate(['--rotate-keys'], place)).rejects.toMatchObject({ code: 'keys.other_root' });
  });

  it('refuses signing keys that another seal closed', async () => {
    await signingKey();
    place = { ...place, sealKey: Buffer.alloc(32, 7).toString('base64') };
    await expect(open()).rejects.toMatchObject({ code: 'keys.seal' });
  });

  it('backs the store up while it is in use, and starts again from the copy', async () => {
    const parts = await open();
    const copy = path.join(folder, 'copy.db');
    const { keyId } = (await parts.keys.signer()).key;
    try {
      expect(await operate([`--backup=${copy}`], place)).toContain(copy);
      await expect(operate([`--backup=${copy}`], place)).rejects.toMatchObject({
        code: 'store.backup_failed',
      });
      await expect(operate(['--rotate-keys'], place)).rejects.toMatchObject({ code: 'store.in_use' });
    } finally {
      await parts.close();
    }
    for (const name of ['control.db', 'control.db-wal', 'control.db-shm'])
      rmSync(path.join(folder, name), { force: true });
    renameSync(copy, path.join(folder, 'control.db'));
    expect((await signingKey()).keyId).toBe(keyId);
    await expect(
      operate(['--backup=x'], { ...place, databaseUrl: 'postgres://localhost/x' }),
    ).rejects.toMatchObject({ code: 'api.backup_postgres' });
  });

  it('raises the revision after a restore above what is known, and asks for a key document where one is missing', async () => {
    await signingKey();
    expect(await operate(['--recover'], place)).toBe(
      'the fleet has reported nothing\nbundle revision: 1.0 before, 1.0 now',
    );
    expect(await operate(['--recover=3.40'], place)).toMatch(/3\.4\d now\n.*--rotate-keys next$/);
    expect(await operate(['--rotate-keys'], place)).toContain('epoch 4');
    const parts = await open();
    const { items } = await parts.control.store.audit.search({ kind: 'note' }, { limit: 10 });
    await parts.close();
    expect(items.map(({ entry }) => entry.data?.['action'])).toEqual([
      'keys.rotated',
      'bundles.recovered',
      'bundles.recovered',
    ]);
  });

  it.each([['--recover=x'], ['--rotate'], ['--rotate-keys --new-admin-token'], ['word']])(
    'refuses %s',
    async (args) => {
      await expect(operate(args.split(' '), place)).rejects.toMatchObject({ code: 'api.option' });
    },
  );

  it('says what there is, and leaves the start to the server', async () => {
    expect(await operate(['--help'], place)).toContain('--rotate-keys');
    expect(await operate([], place)).toBeNull();
  });
});
