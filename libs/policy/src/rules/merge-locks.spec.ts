import type { PolicyTier } from '@wrongstack/contracts';
import { policyDocument } from '../../spec/support/synthetic-policies.js';
import type { PolicyLocks } from '../documents/policy-document.js';
import { DEFAULT_LOCKS, mergeLocks } from './merge-locks.js';

const merged = (...documents: readonly (readonly [PolicyTier, PolicyLocks])[]) =>
  mergeLocks(documents.map(([tier, locks], index) => policyDocument({ tier, id: `d${index}`, locks })));

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;

describe('merging locks', () => {
  it('has a default for every key that nobody sets', () => {
    expect(merged()).toEqual(DEFAULT_LOCKS);
    expect(merged(['org', {}])).toEqual(DEFAULT_LOCKS);
  });

  it('takes the strictest of what central documents set, key by key', () => {
    const locks = merged(
      ['org', { yolo: 'in-sandbox', trustTtlHours: 72 }],
      ['team', { yolo: 'on', trustTtlHours: 24, headlessConfirm: 'queue' }],
      ['orgDefault', { headlessConfirm: 'deny' }],
    );
    expect(locks).toEqual({
      ...DEFAULT_LOCKS,
      yolo: 'in-sandbox',
      trustTtlHours: 24,
      headlessConfirm: 'deny',
    });
  });

  it('lets a central document go beyond a default, and a person not', () => {
    expect(merged(['org', { trustTtlHours: 720 }]).trustTtlHours).toBe(720);
    expect(merged(['user', { trustTtlHours: 720 }]).trustTtlHours).toBe(168);
    expect(merged(['org', { headlessConfirm: 'queue' }]).headlessConfirm).toBe('queue');
    expect(merged(['user', { headlessConfirm: 'queue' }]).headlessConfirm).toBe('deny');
    expect(merged(['project', { auditFailure: 'allow-safe' }]).auditFailure).toBe('deny');
  });

  it.each(['user', 'project', 'plugin', 'builtin'] as const)('lets tier %s tighten', (tier) => {
    const locks = merged(
      ['org', { yolo: 'on', trustTtlHours: 48 }],
      [tier, { yolo: 'off', trustTtlHours: 1 }],
    );
    expect(locks).toMatchObject({ yolo: 'off', trustTtlHours: 1 });
  });

  it('fixes a profile centrally, and below the centre the strict one alone', () => {
    expect(merged(['org', { profile: 'balanced' }]).profile).toBe('balanced');
    expect(merged(['org', { profile: 'balanced' }], ['team', { profile: 'guide' }]).profile).toBe('guide');
    expect(merged(['user', { profile: 'balanced' }]).profile).toBeNull();
    expect(merged(['project', { profile: 'strict' }]).profile).toBe('strict');
  });

  it('loads the plugins that every list names, and believes the claims that an org document vouches for', () => {
    const acme = { name: 'acme', digest: digest('a') };
    const other = { name: 'other', digest: digest('b') };
    const org = { plugins: { allow: [{ ...acme, claims: true }, other] } };
    expect(merged(['org', org]).plugins.allow).toEqual([
      { ...acme, claims: true },
      { ...other, claims: false },
    ]);
    expect(merged(['org', org], ['user', { plugins: { allow: [acme] } }]).plugins.allow).toEqual([
      { ...acme, claims: true },
    ]);
    expect(merged(['team', org]).plugins.allow).toContainEqual({ ...acme, claims: false });
    const doubting = { plugins: { allow: [{ ...acme, claims: false }] } };
    expect(merged(['org', org], ['team', doubting]).plugins.allow).toEqual([{ ...acme, claims: false }]);
    const changed = { plugins: { allow: [{ name: 'acme', digest: digest('c') }] } };
    expect(merged(['org', org], ['team', changed]).plugins.allow).toEqual([]);
  });

  it('adds up requirements and budgets', () => {
    const locks = merged(
      [
        'org',
        { plugins: { require: ['b'] }, budget: { run: { tokens: 10 }, user: undefined, team: undefined } },
      ],
      [
        'user',
        {
          plugins: { require: ['a'], mutation: 'none' },
          budget: { run: { costUsd: 1 }, user: undefined, team: undefined },
        },
      ],
    );
    expect(locks.plugins).toMatchObject({ require: ['a', 'b'], mutation: 'none', allow: null });
    expect(locks.budget.run).toEqual([{ tokens: 10 }, { costUsd: 1 }]);
  });
});
