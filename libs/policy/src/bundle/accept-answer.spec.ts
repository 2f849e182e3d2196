import fc from 'fast-check';
import type { Bundle } from '@wrongstack/contracts/wire';
import { BundleWorld, HOUR, iso, policyText, START } from './bundle.spec-support.js';
import { signBundle } from './bundle-text.js';
import { generateSigningKey } from './signing-key.js';

const SCOPE = 'team:payments';

describe('a client that is sent a bundle', () => {
  it('takes one that its key, scope, dates and revision vouch for', async () => {
    const world = new BundleWorld();
    expect(await world.publish(7)).toEqual({ accepted: true, refused: null });
    expect(await world.rules()).toEqual(['rule-7']);
    expect((await world.client.load()).documents[0]?.metadata.revision).toBe(7);
  });

  it.each([
    ['bundle.bad_signature', (world: BundleWorld) => ({ ...world.bundle(8), signature: 'A'.repeat(86) })],
    [
      'bundle.bad_signature',
      (world: BundleWorld) => ({ ...world.bundle(8), payload: world.bundle(9).payload }),
    ],
    ['bundle.unknown_key', (world: BundleWorld) => signBundle(world.bundleOf(8), generateSigningKey('k9'))],
    ['bundle.other_scope', (world: BundleWorld) => world.bundle(8, { scope: 'team:other' })],
    ['bundle.expired', (world: BundleWorld) => world.bundle(8, { expiresAt: iso(START) })],
    ['bundle.below_floor', (world: BundleWorld) => world.bundle(6)],
    ['bundle.other_epoch', (world: BundleWorld) => world.bundle(8, { epoch: 2 })],
    ['bundle.older', (world: BundleWorld) => world.bundle(7, { issuedAt: iso(START - HOUR) })],
    ['bundle.malformed', (world: BundleWorld) => ({ ...world.bundle(8), comment: 'hello' })],
    // A cast, since the type knows no such member either.
    ['bundle.malformed', (world: BundleWorld) => world.bundle(8, { relaxed: true } as Partial<Bundle>)],
    ['bundle.malformed', () => ''],
    ['bundle.malformed', () => null],
    ['bundle.malformed', () => ({})],
    ['bundle.malformed', () => []],
    ['policy.invalid', (world: BundleWorld) => world.bundle(8, {}, `${policyText('x')}surprise: true\n`)],
  ])('refuses with %s and keeps what it had', async (code, make) => {
    const world = new BundleWorld();
    await world.publish(7);
    const outcome = await world.client.take({ bundle: make(world), timestamp: null }, SCOPE);
    expect(outcome.accepted).toBe(false);
    expect(outcome.refused?.code).toBe(code);
    expect(await world.rules()).toEqual(['rule-7']);
    expect(await world.rules(world.newClient())).toEqual(['rule-7']);
  });

  it('refuses a text that is signed and written with a member twice', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    const { sign } = await import('node:crypto');
    const json = Buffer.from(world.bundle(8).payload, 'base64url')
      .toString()
      .replace('"revision":8', '"revision":8,"revision":8');
    const payload = Buffer.from(json).toString('base64url');
    const signature = sign(
      null,
      Buffer.from(`wrongstack.bundle/v1\n${payload}`),
      world.key.privateKey,
    ).toString('base64url');
    const { refused } = await world.client.take(
      { bundle: { payload, keyId: 'k1', signature }, timestamp: null },
      SCOPE,
    );
    expect(refused?.code).toBe('bundle.malformed');
  });

  it('refuses a document whose digest is not that of its text', async () => {
    const world = new BundleWorld();
    const bundle = world.bundleOf(7);
    const documents = bundle.documents.map((one) => ({ ...one, text: policyText('other', 'allow') }));
    const signed = signBundle({ ...bundle, documents }, world.key);
    const { refused } = await world.client.take(
      { keys: world.keys(), bundle: signed, timestamp: null },
      SCOPE,
    );
    expect(refused?.code).toBe('bundle.malformed');
  });

  it('refuses what a key signed after its end', async () => {
    const world = new BundleWorld();
    const { refused } = await world.client.take(
      { keys: world.keys(START), bundle: world.bundle(7), timestamp: null },
      SCOPE,
    );
    expect(refused?.code).toBe('bundle.key_expired');
  });

  it('takes the same revision again, signed with later dates', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.now += 48 * HOUR;
    expect((await world.publish(7)).accepted).toBe(true);
    expect(world.client.bundle?.issuedAt).toBe(iso(world.now));
  });

  it('forgets what a stolen key said about revision and time once the root has rotated', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    const far = Number.MAX_SAFE_INTEGER;
    const year3000 = Date.parse('3000-01-01T00:00:00Z');
    await world.client.take({ bundle: world.bundle(far), timestamp: world.time(far) }, SCOPE);
    await world.client.take({ timestamp: world.time(far, year3000) }, SCOPE);
    expect(world.state()).toBe('expired');

    world.key = generateSigningKey('k2');
    world.epoch = 2;
    expect(await world.publish(8)).toEqual({ accepted: true, refused: null });
    expect(await world.rules()).toEqual(['rule-8']);
    expect(world.state()).toBe('fresh');
  });

  it('keeps a held bundle in force though its key was retired, also in the next process', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.key = generateSigningKey('k2');
    world.epoch = 2;
    await world.client.take({ keys: world.keys(), timestamp: null }, SCOPE);
    expect(await world.rules(world.newClient())).toEqual(['rule-7']);
  });

  it('refuses a key document of an earlier epoch, and one that another root signed', async () => {
    const world = new BundleWorld();
    const first = world.keys();
    world.epoch = 2;
    await world.publish(7);
    expect((await world.client.take({ keys: first, timestamp: null }, SCOPE)).refused?.code).toBe(
      'bundle.old_keys',
    );
    const other = new BundleWorld();
    other.epoch = 3;
    expect((await world.client.take({ keys: other.keys(), timestamp: null }, SCOPE)).refused?.code).toBe(
      'bundle.bad_signature',
    );
  });
});

describe('whatever a server or the disk says', () => {
  const broken = fc.oneof(
    fc.constantFrom(undefined, null, '', {}, [], 0, 'null'),
    fc.anything(),
    fc.record({ payload: fc.string(), keyId: fc.constantFrom('k1', 'k2'), signature: fc.string() }),
  );
  const damage = fc.record({
    member: fc.constantFrom('payload', 'signature', 'keyId'),
    at: fc.nat(5000),
    to: fc.constantFrom('A', 'b', '_', '.', '='),
  });

  it('no broken bundle loosens what was held, and the floor never falls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            broken.map((body) => ({ body })),
            damage,
          ),
          { maxLength: 6 },
        ),
        async (steps) => {
          const world = new BundleWorld();
          await world.publish(7);
          for (const step of steps) {
            const bundle = 'body' in step ? step.body : corrupted(world.bundle(9), step);
            const { accepted } = await world.client.take({ bundle, timestamp: null }, SCOPE);
            expect(accepted).toBe(false);
            expect(await world.rules()).toEqual(['rule-7']);
            expect(world.store.texts.floor).toMatchObject({ epoch: 1, revision: 7 });
          }
          expect((await world.publish(8)).accepted).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);

  it('floors only grow, in whatever order good bundles come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 }),
        async (revisions) => {
          const world = new BundleWorld();
          let highest = 0;
          for (const revision of revisions) {
            const { accepted } = await world.publish(revision);
            expect(accepted).toBe(revision >= highest);
            highest = Math.max(highest, revision);
            expect(await world.rules()).toEqual([`rule-${highest}`]);
            expect(world.store.texts.floor?.revision).toBe(highest);
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);
});

function corrupted(
  signed: { readonly payload: string; readonly keyId: string; readonly signature: string },
  { member, at, to }: { readonly member: string; readonly at: number; readonly to: string },
): object {
  const text: string = Reflect.get(signed, member);
  // The last letter of 86 carries spare bits: another one there may mean the same bytes.
  const index = at % (text.length - 1);
  const changed = text.slice(0, index) + (text[index] === to ? '-' : to) + text.slice(index + 1);
  return { ...signed, [member]: changed };
}
