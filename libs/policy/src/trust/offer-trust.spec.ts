import {
  type CommandFacts,
  type Facts,
  type FloorRecord,
  NOBODY,
  type PathFact,
  type SimpleCommand,
} from '@wrongstack/contracts';
import { compilePolicies } from '../rules/compiled-policies.js';
import { decide } from '../decide/decide.js';
import { AT_THE_KEYBOARD } from '../facts/sample-call.spec-support.js';
import { offerTrust, type OfferInput } from './offer-trust.js';
import { describeSubject, trustEntries } from './trust-entries.js';

const clock = { now: () => Date.parse('2026-11-30T14:02:00Z') };

const simple = (argv: readonly (string | null)[], change: Partial<SimpleCommand> = {}): SimpleCommand => ({
  argv,
  text: argv.join(' '),
  traits: [],
  through: [],
  wrapper: 'none',
  inner: [],
  risk: 'ordinary',
  riskReason: null,
  readOnly: false,
  nestedWstack: false,
  ...change,
});
const command = (...commands: SimpleCommand[]): CommandFacts => ({
  text: commands.map(({ text }) => text).join(' && '),
  commands,
  unparsed: false,
  unparsedReason: null,
});
const path = (real: string | null, change: Partial<PathFact> = {}): PathFact => ({
  claimed: real,
  real,
  access: 'read',
  inside: false,
  relative: null,
  exists: true,
  linkLeavesProject: false,
  scratch: false,
  protected: null,
  credential: null,
  agentOwn: false,
  device: false,
  command: null,
  ...change,
});
const facts = (change: Partial<Facts>): Facts => ({
  tool: 'bash',
  owner: 'core',
  definitionDigest: 'sha256:1',
  claimsTrusted: true,
  permission: 'confirm',
  mutating: true,
  declared: ['shell.arbitrary'],
  effective: [{ name: 'shell.arbitrary', declared: true, carriedBy: 'all' }],
  riskTier: 'standard',
  callRisk: 'standard',
  riskReasons: [],
  paths: [],
  command: null,
  hosts: [],
  mcp: null,
  actor: NOBODY,
  session: AT_THE_KEYBOARD,
  project: '/work/pay',
  cwd: '/work/pay',
  background: false,
  now: new Date(clock.now()).toISOString(),
  ...change,
});
const floor = (kind: FloorRecord['kind'], reason = 'tool asks'): FloorRecord => ({
  kind,
  verdict: 'confirm',
  source: { kind: 'tool', id: 'bash' },
  reason,
  loweredBy: null,
});
const offer = (change: Partial<Facts>, input: Partial<OfferInput> = {}) =>
  offerTrust({
    facts: facts(change),
    demanded: 'confirm',
    floors: [floor('soft')],
    locks: { trustGrants: 'persistent', trustTtlHours: 168 },
    clock,
    isSecret: (text) => text.includes('hunter2'),
    ...input,
  });
const subjects = (change: Partial<Facts>) => {
  const found = offer(change);
  return found.offered ? found.subjects : found.reason;
};

describe('what "always" would store', () => {
  it('is each simple command, exactly, for as long as the lock says', () => {
    expect(offer({ command: command(simple(['npm', 'test']), simple(['npm', 'run', 'lint'])) })).toEqual({
      offered: true,
      subjects: [
        { kind: 'command', words: ['npm', 'test'] },
        { kind: 'command', words: ['npm', 'run', 'lint'] },
      ],
      expiresAt: '2026-12-07T14:02:00.000Z',
    });
  });

  it('escapes what would be a wildcard', () => {
    expect(subjects({ command: command(simple(['grep', 'onclick.*Tab', 'a\\b'])) })).toEqual([
      { kind: 'command', words: ['grep', 'onclick.\\*Tab', 'a\\\\b'] },
    ]);
  });

  it('is what a transparent wrapper runs, and nothing where a wrapper decides how it runs', () => {
    const inner = simple(['make', 'all'], { through: ['nohup'] });
    const nohup = simple(['nohup', 'make', 'all'], { wrapper: 'transparent', inner: [1] });
    expect(subjects({ command: command(nohup, inner) })).toEqual([
      { kind: 'command', words: ['make', 'all'] },
    ]);
    for (const name of ['env', 'sudo', 'xargs', 'npx']) {
      const wrapper = simple([name, 'make', 'all'], { wrapper: 'own-cover', inner: [1] });
      expect(subjects({ command: command(wrapper, inner) })).toBe(
        `what ${name} runs is asked about each time`,
      );
    }
  });

  it('also names the paths outside the project that are read, and what the tool claims itself', () => {
    expect(
      subjects({
        command: command(simple(['cat', '/etc/hosts'])),
        paths: [path('/etc/hosts', { command: 0 })],
      }),
    ).toEqual([
      { kind: 'command', words: ['cat', '/etc/hosts'] },
      { kind: 'path', path: '/etc/hosts', access: 'read' },
    ]);
    expect(
      subjects({
        command: command(simple(['x'])),
        paths: [path('/work/pay/a', { inside: true, access: 'write' })],
      }),
    ).toContainEqual({ kind: 'path', path: '/work/pay/a', access: 'write' });
  });

  it('is the path or the host of other tools', () => {
    const hosts = [
      { scheme: 'https', host: 'example.com', port: 443, command: null },
      { scheme: 'http', host: '::1', port: 3000, command: null },
    ];
    expect(subjects({ paths: [path('/data/a*b')], hosts })).toEqual([
      { kind: 'path', path: '/data/a\\*b', access: 'read' },
      { kind: 'host', host: 'https://example.com:443' },
      { kind: 'host', host: 'http://[::1]:3000' },
    ]);
  });

  const npmTest = { command: command(simple(['npm', 'test'])) };
  it.each<[string, Partial<Facts>, Partial<OfferInput>, string]>([
    ['a destructive call', { ...npmTest, callRisk: 'destructive' }, {}, 'once only'],
    ['a denial', npmTest, { demanded: 'deny' }, 'denied'],
    ['an approval', npmTest, { demanded: 'approve' }, 'other people'],
    ['locked grants', npmTest, { locks: { trustGrants: 'off', trustTtlHours: 1 } }, 'switched off'],
    ['a hard floor', npmTest, { floors: [floor('soft'), floor('hard', 'rule careful')] }, 'rule careful'],
    ['an acknowledged floor', npmTest, { floors: [floor('acknowledged', 'writes .git')] }, 'writes .git'],
    ['a meta-tool', { ...npmTest, declared: ['tool.mutate.any'] }, {}, 'never trusted'],
    [
      'a plugin that nobody vouches for',
      { ...npmTest, owner: 'x', claimsTrusted: false },
      {},
      'not vouched for',
    ],
    ['no subject', {}, {}, 'no command, path or host'],
    ['an unknown command', { command: 'unknown' }, {}, 'not known'],
    ['unknown paths', { paths: 'unknown' }, {}, 'not known'],
    ['a path that is not static', { paths: [path(null)] }, {}, 'not known'],
    [
      'a host that is not static',
      { hosts: [{ scheme: 'https', host: null, port: null, command: 0 }] },
      {},
      'not known',
    ],
    ['an opaque command', { command: { ...command(simple(['x'])), unparsed: true } }, {}, 'read whole'],
    ['a word that is not static', { command: command(simple(['cat', null])) }, {}, 'only when it runs'],
    ['a bare assignment', { command: command(simple([])) }, {}, 'names no program'],
    [
      'an assignment',
      { command: command(simple(['make'], { traits: ['envAssign'] })) },
      {},
      'environment assignment',
    ],
    ['a redirect', { command: command(simple(['make'], { traits: ['redirect'] })) }, {}, 'redirect'],
    ['a secret', { command: command(simple(['login', 'hunter2'])) }, {}, 'secret'],
  ])('is nothing for %s, with the reason', (_, change, input, reason) => {
    expect(offer(change, input)).toEqual({ offered: false, reason: expect.stringContaining(reason) });
  });
});

describe('a stored offer', () => {
  const policies = compilePolicies([]);
  const given = { clock, newId: () => 'g-1' };
  const verdict = (change: Partial<Facts>, granted: Partial<Facts>) => {
    const offered = offer(granted);
    if (!offered.offered) throw new Error(offered.reason);
    const entries = trustEntries(offered, facts(granted), 'allow', given);
    const trust = { status: 'ok', entries } as const;
    return decide(facts(change), { policies, trust, state: 'none', failure: null }, []).verdict;
  };

  it.each<[string, Partial<Facts>]>([
    ['a command', { command: command(simple(['grep', '-rn', 'onclick.*Tab', 'a\\b', 'src'])) }],
    ['a path with wildcards in its name', { paths: [path('/data/[a]/{b}/c*?\\d')], declared: ['fs.read'] }],
    ['hosts', { hosts: [{ scheme: 'http', host: '::1', port: 3000, command: null }] }],
    ['a host with its port', { hosts: [{ scheme: 'https', host: 'example.com', port: 443, command: null }] }],
    [
      'a read outside by a command',
      { command: command(simple(['cat', '/etc/hosts'])), paths: [path('/etc/hosts', { command: 0 })] },
    ],
  ])('answers the same question next time: %s', (_, call) => {
    expect(verdict(call, call)).toBe('allow');
  });

  it('answers no other question', () => {
    const granted = { command: command(simple(['grep', 'onclick.*Tab', 'src'])) };
    expect(verdict({ command: command(simple(['grep', 'onclick X Tab', 'src'])) }, granted)).toBe('confirm');
    expect(verdict({ command: command(simple(['grep', 'onclick.*Tab', 'src', 'x'])) }, granted)).toBe(
      'confirm',
    );
    const port = (number: number) => ({
      hosts: [{ scheme: 'https', host: 'a.example', port: number, command: null }],
    });
    expect(verdict(port(8443), port(443))).toBe('confirm');
  });

  it('is readable', () => {
    expect(describeSubject({ kind: 'command', words: ['npm', 'run', 'a b'] })).toBe('"npm run \'a b\'"');
    expect(describeSubject({ kind: 'path', path: '/etc/hosts', access: 'read' })).toBe('read /etc/hosts');
  });

  it('ends for always, and stays for never', () => {
    const call = { command: command(simple(['npm', 'test'])) };
    const offered = offer(call);
    if (!offered.offered) throw new Error(offered.reason);
    expect(trustEntries(offered, facts(call), 'deny', given)[0]).toMatchObject({
      effect: 'deny',
      expiresAt: null,
    });
    expect(trustEntries(offered, facts(call), 'allow', given)[0]?.expiresAt).toBe(offered.expiresAt);
  });
});
