import { syntheticFacts, type FactsOverrides } from '../../spec/support/synthetic-facts.js';
import {
  policyContext,
  policyDocument,
  trustEntry,
  type ContextOverrides,
  type RuleOverrides,
} from '../../spec/support/synthetic-policies.js';
import { decide } from './decide.js';
import type { Verdicts } from './verdicts.js';

const decided = (facts: FactsOverrides, context: ContextOverrides = {}): Verdicts =>
  decide(syntheticFacts(facts), policyContext(context), []);
const org = (...rules: RuleOverrides[]) => policyDocument({ tier: 'org', rules });

describe('what a decision says beside its verdict', () => {
  it('a denial names the rule, why, what to do instead, and all that matched', () => {
    const documents = [
      org({
        id: 'no-prod-kube',
        effect: 'deny',
        actions: ['shell.arbitrary'],
        when: { command: { argv: ['kubectl', ['delete', 'drain']] } },
        because: 'Production cluster changes go through the pipeline',
        instead: 'open a deploy request',
      }),
      policyDocument({ tier: 'user', rules: [{ id: 'mine', effect: 'allow' }] }),
    ];
    const facts: FactsOverrides = {
      tool: 'bash',
      permission: 'confirm',
      declared: ['shell.arbitrary'],
      command: [{ argv: ['cd', 'x'] }, { argv: ['kubectl', 'drain', 'n1'] }],
    };
    const rule = { kind: 'rule', id: 'no-prod-kube', tier: 'org', document: 'org', revision: 1 };
    const mine = { kind: 'rule', id: 'mine', tier: 'user', document: 'user', revision: 1 };
    expect(decided(facts, { documents })).toEqual({
      verdict: 'deny',
      demanded: 'deny',
      by: rule,
      because: 'Production cluster changes go through the pipeline',
      instead: 'open a deploy request',
      floors: [
        {
          kind: 'hard',
          verdict: 'deny',
          source: rule,
          reason: 'Production cluster changes go through the pipeline',
          loweredBy: null,
        },
        {
          kind: 'soft',
          verdict: 'confirm',
          source: { kind: 'tool', id: 'bash' },
          reason: 'tool bash needs confirmation',
          loweredBy: mine,
        },
      ],
      matches: [
        expect.objectContaining({
          id: 'no-prod-kube',
          effect: 'deny',
          applied: true,
          on: 'kubectl drain n1',
        }),
        expect.objectContaining({ id: 'mine', effect: 'allow', applied: true, on: 'cd x; kubectl drain n1' }),
      ],
      obligations: [],
      approvers: null,
    });
  });

  it('an allow names what lowered the strictest floor, or the tool', () => {
    expect(decided({}).by).toEqual({ kind: 'tool', id: 'note' });
    const allowed = decided({ permission: 'confirm' }, { documents: [org({ id: 'yes', effect: 'allow' })] });
    expect(allowed).toMatchObject({ by: { kind: 'rule', id: 'yes' }, because: 'because of yes' });
    expect(decided({ permission: 'confirm', session: { yolo: true } })).toMatchObject({
      by: { kind: 'user', id: 'yolo' },
      because: 'YOLO is on',
    });
  });

  it('headless says that nobody was there to ask', () => {
    expect(decided({ permission: 'confirm', session: { interactive: false } })).toMatchObject({
      verdict: 'deny',
      demanded: 'confirm',
      because: 'tool note needs confirmation; nobody is at the keyboard to confirm it',
    });
  });

  it('rules that were not applied are recorded as such', () => {
    const team = policyDocument({
      tier: 'team',
      rules: [{ id: 'may', effect: 'allow', overrides: ['wall'] }],
    });
    const documents = [
      org({ id: 'wall', effect: 'deny', overridable: true }, { id: 'trial', effect: 'deny', mode: 'shadow' }),
      team,
      policyDocument({ tier: 'project', rules: [{ id: 'cloned', effect: 'allow' }] }),
    ];
    const { verdict, matches } = decided({}, { documents });
    expect(verdict).toBe('allow');
    expect(Object.fromEntries(matches.map(({ id, applied }) => [id, applied]))).toEqual({
      wall: false,
      trial: false,
      may: true,
      cloned: false,
    });
  });
});

describe('acknowledgements', () => {
  it('lower nothing in a call that cannot be parsed, not even on paper', () => {
    const documents = [
      org({ effect: 'allow', acknowledgeDestructive: true, when: { path: { every: ['/srv/**'] } } }),
    ];
    const call: FactsOverrides = {
      declared: ['shell.arbitrary'],
      command: [{ argv: ['cp', 'a', '/srv/x'] }],
      paths: [{ claimed: '/srv/x', access: 'write', command: 0 }],
    };
    const loweredBy = (unparsed: boolean): unknown =>
      decided({ ...call, unparsed }, { documents }).floors.find(({ source }) => source.id === 'outside-write')
        ?.loweredBy;
    expect(loweredBy(false)).toMatchObject({ kind: 'rule' });
    expect(loweredBy(true)).toBeNull();
  });
});

describe('obligations', () => {
  const sandbox = { sandbox: 'no-network' as const };
  const rateLimit = { rateLimit: { max: 3, perSeconds: 60, key: 'user' as const } };

  it('come from every matching rule in force, each once', () => {
    const documents = [
      org(
        { id: 'a', effect: 'oblige', obligations: [sandbox, { redact: ['token'] }] },
        { id: 'b', effect: 'oblige', obligations: [sandbox] },
        { id: 'c', effect: 'allow', obligations: [rateLimit] },
        { id: 'd', effect: 'oblige', mode: 'shadow', obligations: [{ sandbox: 'read-only' }] },
        { id: 'e', effect: 'oblige', obligations: [{ redact: ['x'] }], when: { tool: ['other'] } },
      ),
    ];
    const { verdict, obligations } = decided({ permission: 'confirm' }, { documents });
    expect(verdict).toBe('allow');
    expect(obligations).toHaveLength(3);
    expect(obligations).toEqual(
      expect.arrayContaining([sandbox, { redact: ['token'] }, { ...rateLimit, rule: 'c' }]),
    );
  });

  it('hold where it is unknown whether the rule is about the call', () => {
    const documents = [
      org({ effect: 'oblige', obligations: [sandbox], when: { path: { some: ['secrets/**'] } } }),
    ];
    expect(decided({ paths: 'unknown' }, { documents }).obligations).toEqual([sandbox]);
    expect(decided({ paths: [] }, { documents }).obligations).toEqual([]);
  });
});

describe('approvers', () => {
  const session = { remoteApprovals: true };

  it('are those whom every rule names, as many as the most demanding one wants', () => {
    const documents = [
      org(
        { effect: 'approve', approvers: { count: 1, from: ['oncall', 'security'], ttlMinutes: 60 } },
        {
          effect: 'approve',
          approvers: { count: 2, from: ['security', 'legal'], ttlMinutes: 30, excludeRequester: false },
        },
      ),
    ];
    expect(decided({ session }, { documents })).toMatchObject({
      verdict: 'approve',
      approvers: { count: 2, from: ['security'], ttlMinutes: 30, excludeRequester: true },
    });
  });

  it('for a queued confirmation are one person, whoever may answer', () => {
    const documents = [policyDocument({ tier: 'org', locks: { headlessConfirm: 'queue' } })];
    const queued = decided(
      { permission: 'confirm', session: { ...session, interactive: false } },
      { documents },
    );
    expect(queued).toMatchObject({
      verdict: 'approve',
      demanded: 'confirm',
      approvers: { count: 1, from: [], excludeRequester: false },
    });
  });

  it('are nobody where the call is denied anyway', () => {
    const approve: RuleOverrides = { effect: 'approve', approvers: { count: 1, from: ['oncall'] } };
    expect(decided({ session, permission: 'deny' }, { documents: [org(approve)] }).approvers).toBeNull();
  });
});

describe('trust grants for calls without a command', () => {
  const facts: FactsOverrides = {
    permission: 'confirm',
    declared: ['fs.read', 'net.outbound'],
    paths: [{ claimed: 'a' }],
    hosts: [{ scheme: 'https', host: 'docs.example', port: 443, command: null }],
  };
  const path = trustEntry({ id: 'p', subject: { kind: 'path', path: '/work/shop/a', access: 'read' } });
  const host = trustEntry({ id: 'h', subject: { kind: 'host', host: 'https://docs.example:443' } });

  it('must name each path and each host', () => {
    expect(decided(facts, { trust: [path, host] }).verdict).toBe('allow');
    expect(decided(facts, { trust: [path] }).verdict).toBe('confirm');
    expect(decided(facts, { trust: [host] }).verdict).toBe('confirm');
  });

  it('are about the access that was granted', () => {
    const write: FactsOverrides = { ...facts, hosts: [], paths: [{ claimed: 'a', access: 'write' }] };
    expect(decided(write, { trust: [path] }).verdict).toBe('confirm');
  });

  it('prove nothing about claims that nobody vouches for', () => {
    const foreign: FactsOverrides = { ...facts, claimsTrusted: false };
    expect(decided(foreign, { trust: [path, host] }).verdict).toBe('confirm');
  });

  it('that say never also catch a read of the folder above', () => {
    const never = trustEntry({
      effect: 'deny',
      subject: { kind: 'path', path: '/work/shop/secret/*', access: 'read' },
    });
    const read = (claimed: string, recursive?: true) =>
      decided({ paths: [{ claimed, ...(recursive && { recursive }) }] }, { trust: [never] }).verdict;
    expect(read('/work/shop', true)).toBe('deny');
    expect(read('/work/shop')).toBe('allow');
    expect(read('src', true)).toBe('allow');
  });

  it('read ? and [ in a stored path as themselves', () => {
    const odd: FactsOverrides = {
      permission: 'confirm',
      declared: ['fs.read'],
      paths: [{ claimed: 'b?[1]' }],
    };
    const exact = trustEntry({ subject: { kind: 'path', path: '/work/shop/b\\?\\[1\\]', access: 'read' } });
    const loose = trustEntry({ subject: { kind: 'path', path: '/work/shop/b?[1]', access: 'read' } });
    expect(decided(odd, { trust: [exact] }).verdict).toBe('allow');
    expect(decided({ ...odd, paths: [{ claimed: 'bx1' }] }, { trust: [loose] }).verdict).toBe('confirm');
  });
});
