import fc from 'fast-check';
import { BundleWorld, HOUR, START } from './bundle.spec-support.js';
import { FRESH_FOR_MS } from './bundle-state.js';
import { EnrolledState } from './central-policy.js';

const SCOPE = 'team:payments';

describe('the policy state of an enrolled client', () => {
  it('is undetermined until the first bundle was believed', async () => {
    const world = new BundleWorld();
    expect(world.state()).toBe('undetermined');
    await world.client.take({ keys: world.keys(), bundle: {}, timestamp: world.time(7) }, SCOPE);
    expect(world.state()).toBe('undetermined');
    await world.publish(7);
    expect(world.state()).toBe('fresh');
  });

  it('goes from fresh to stale to expired by the clock, and back with one signed time', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.now = START + FRESH_FOR_MS + 1;
    expect(world.state()).toBe('stale');
    world.now = START + 24 * HOUR;
    expect(world.state()).toBe('expired');
    expect(await world.rules()).toEqual(['rule-7']);
    await world.client.take({ timestamp: world.time(7) }, SCOPE);
    expect(world.state()).toBe('fresh');
  });

  it('does not take news about another revision for news about its own', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.now = START + 5 * HOUR;
    await world.client.take({ timestamp: world.time(8) }, SCOPE);
    expect(world.state()).toBe('stale');
  });

  it('is expired past the end of the bundle, whatever the grace', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.now = START + 169 * HOUR;
    await world.client.take({ timestamp: world.time(7) }, SCOPE);
    expect(world.state(100_000)).toBe('expired');
  });

  it('is not brought back to life by a clock that is set back', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.now = START + 30 * HOUR;
    await world.client.take({ timestamp: world.time(8) }, SCOPE);
    world.now = START;
    expect(world.state()).toBe('expired');
  });

  it('says how old it is and how long it lasts', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.now = START + 3 * HOUR;
    expect(world.client.report({ staleGraceHours: 24 })).toEqual({
      state: 'stale',
      ageSeconds: 3 * 3600,
      expiresInSeconds: 21 * 3600,
    });
  });

  it('never latches: it depends on what is at hand alone, in whatever order the questions come', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    const state = new EnrolledState(world.client);
    const at = (hours: number): string => {
      world.now = START + hours * HOUR;
      return state.current({ staleGraceHours: 24 });
    };
    const alone = new Map(Array.from({ length: 60 }, (_, hours) => [hours, at(hours)]));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 59 })), (hours) => {
        for (const hour of hours) expect(at(hour)).toBe(alone.get(hour));
      }),
    );
  });
});

describe('a cache that was tampered with', () => {
  it('denies every call where a bundle was held and is gone, until a good one came', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.store.put({ held: null });
    const next = world.newClient();
    expect((await next.load()).failure?.reason).toContain('revision 7 is gone: wstack policy pull');
    await next.take({ bundle: world.bundle(7), timestamp: null }, SCOPE);
    expect((await next.load()).failure).toBeNull();
  });

  it('denies every call where an older bundle was put back', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    const old = world.store.texts.held;
    await world.publish(8);
    world.store.put({ held: old });
    expect((await world.newClient().load()).failure?.reason).toContain('revision 7, and 8 was held');
  });

  it('denies every call where the text was changed', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    const held = world.store.texts.held!;
    world.store.put({ held: { ...held, bundle: { ...held.bundle, signature: 'A'.repeat(86) } } });
    expect((await world.newClient().load()).failure?.reason).toContain('cannot be verified');
  });

  it('keeps the last good bundle as long as the process has it', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    world.store.put({ held: null });
    expect(await world.rules()).toEqual(['rule-7']);
    expect((await world.client.load()).failure).toBeNull();
  });
});

describe('what another process fetched', () => {
  it('counts from the next call on', async () => {
    const world = new BundleWorld();
    const other = world.newClient();
    await other.load();
    await world.publish(7);
    expect(await world.rules(other)).toEqual(['rule-7']);
  });

  it('gives the same object while nothing changes but the time', async () => {
    const world = new BundleWorld();
    await world.publish(7);
    const before = await world.client.load();
    world.now += HOUR;
    await world.client.take({ timestamp: world.time(7) }, SCOPE);
    expect(await world.client.load()).toBe(before);
  });
});
