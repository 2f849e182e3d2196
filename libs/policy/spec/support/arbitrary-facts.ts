import * as fc from 'fast-check';
import {
  type ActorFacts,
  type Facts,
  type Identity,
  NOBODY,
  type SessionFacts,
  type ShellTrait,
} from '@wrongstack/contracts';
import {
  hostFact,
  PROJECT,
  syntheticFacts,
  type CommandOverrides,
  type PathOverrides,
} from './synthetic-facts.js';

/** Random facts out of a small vocabulary, so that random rules and random calls meet often. */
export const TOOLS = ['bash', 'read', 'write', 'acme', 'tool-use'] as const;
export const CAPABILITIES = [
  'fs.read',
  'fs.write',
  'fs.write.outside-project',
  'shell.arbitrary',
  'net.outbound',
  'session.todo',
  'memory.read',
  'acme.deploy',
] as const;
export const PATHS = [
  'src/a.ts',
  'infra/b.tf',
  '.env',
  '/etc/hosts',
  '/home/ada/notes/n.md',
  'infra',
  '/work',
  PROJECT,
] as const;
export const HOSTS = ['api.corp.example', 'corp.example', 'evil.example'] as const;
export const WORDS = [
  'git',
  '/usr/bin/git',
  'GIT.exe',
  'npm',
  'rm',
  'status',
  'push',
  '--force',
  'x',
] as const;
export const TRAITS: readonly ShellTrait[] = ['redirect', 'pipe', 'substitution', 'envAssign'];
export const NAMES = ['ada', 'bob'] as const;

/** Rare values stay rare: a call in which everything is odd is denied for ten reasons and tests none. */
const rarely = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<string | null>(...WORDS) },
  { weight: 1, arbitrary: fc.constant(null) },
);

const command: fc.Arbitrary<CommandOverrides> = fc.record({
  argv: fc.array(word, { minLength: 0, maxLength: 3 }),
  traits: rarely<readonly ShellTrait[]>([], fc.subarray([...TRAITS])),
  risk: rarely<'ordinary' | 'destructive'>('ordinary', fc.constant('destructive')),
  readOnly: fc.boolean(),
  nestedWstack: rarely(false, fc.constant(true)),
  wrapper: rarely<'none' | 'transparent' | 'own-cover'>('none', fc.constantFrom('transparent', 'own-cover')),
});

const commands: fc.Arbitrary<readonly CommandOverrides[]> = fc
  .array(command, { minLength: 1, maxLength: 3 })
  .map((list) =>
    list.map((one, index) => {
      const isWrapper = one.wrapper !== 'none' && index + 1 < list.length;
      return isWrapper ? { ...one, inner: [index + 1] } : { ...one, wrapper: 'none' as const, inner: [] };
    }),
  );

const plainPath = fc.record({
  claimed: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<string | null>(...PATHS) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  access: fc.constantFrom('read' as const, 'write' as const),
  scratch: rarely(false, fc.constant(true)),
  protected: rarely<string | null>(null, fc.constant('git hooks')),
  credential: rarely<string | null>(null, fc.constant('a key')),
  agentOwn: fc.oneof(
    { weight: 20, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  linkLeavesProject: fc.oneof(
    { weight: 20, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

const path: fc.Arbitrary<PathOverrides> = fc
  .tuple(plainPath, rarely(false, fc.constant(true)))
  .map(([plain, recursive]) => (recursive ? { ...plain, recursive: true as const } : plain));

const identity: fc.Arbitrary<Identity | null> = fc.oneof(
  fc.constant(null),
  fc.record({ name: fc.constantFrom(...NAMES), authenticated: fc.boolean() }),
);

const person: fc.Arbitrary<ActorFacts> = fc.record({
  org: identity,
  team: identity,
  user: identity,
  roles: fc.oneof(
    fc.constant([]),
    identity.map((one) => (one === null ? [] : [one])),
  ),
  agent: identity,
  plugin: rarely<string | null>(null, fc.constant('acme')),
  subagentDepth: fc.constant(0),
  subagent: fc.constant(null),
  ceiling: fc.constant(null),
  parent: fc.constant(null),
});

const ceiling = rarely<readonly string[] | null>(null, fc.subarray([...CAPABILITIES, 'unknown']));

export const actor: fc.Arbitrary<ActorFacts> = fc.oneof(
  { weight: 3, arbitrary: person },
  {
    weight: 1,
    arbitrary: fc
      .record({ parent: person, ceiling, name: rarely<string | null>('scout', fc.constant(null)) })
      .map(({ parent, ceiling: own, name }) => ({
        ...NOBODY,
        user: parent.user,
        subagentDepth: 1,
        subagent: name,
        ceiling: own,
        parent,
      })),
  },
);

export const session: fc.Arbitrary<SessionFacts> = fc.record({
  mode: fc.oneof(
    { weight: 9, arbitrary: fc.constant('default' as const) },
    { weight: 1, arbitrary: fc.constant('plan' as const) },
  ),
  interactive: fc.boolean(),
  yolo: fc.boolean(),
  sandboxed: fc.boolean(),
  remoteApprovals: fc.boolean(),
});

export const facts: fc.Arbitrary<Facts> = fc
  .record({
    tool: fc.constantFrom(...TOOLS),
    owner: rarely('core', fc.constant('acme')),
    claimsTrusted: rarely(true, fc.constant(false)),
    permission: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('auto' as const, 'confirm' as const) },
      { weight: 1, arbitrary: fc.constantFrom('unknown' as const, 'deny' as const) },
    ),
    mutating: fc.boolean(),
    declared: fc.subarray([...CAPABILITIES], { maxLength: 2 }),
    callRisk: fc.constantFrom('safe' as const, 'standard' as const, 'destructive' as const),
    tierUnknown: fc.boolean(),
    commands: fc.option(commands, { freq: 2 }),
    unparsed: rarely(false, fc.constant(true)),
    commandUnknown: fc.oneof(
      { weight: 15, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    paths: rarely<readonly PathOverrides[] | 'unknown'>([], fc.constant('unknown' as const)),
    pathList: fc.array(path, { maxLength: 2 }),
    hosts: fc.array(fc.constantFrom(...HOSTS), { maxLength: 1 }),
    mcpPinned: rarely<boolean | null>(null, fc.boolean()),
    background: fc.boolean(),
    actor,
    session,
    carrier: fc.nat({ max: 2 }),
  })
  .map(({ tierUnknown, commands: list, commandUnknown, pathList, mcpPinned, hosts, carrier, ...rest }) => {
    const carries = list === null || commandUnknown ? null : carrier % list.length;
    const isUnknownPaths = rest.paths === 'unknown';
    return syntheticFacts({
      ...rest,
      riskTier: tierUnknown && rest.callRisk === 'standard' ? 'unknown' : rest.callRisk,
      command: commandUnknown ? 'unknown' : list,
      paths: isUnknownPaths ? 'unknown' : pathList.map((one) => ({ ...one, command: carries })),
      hosts: hosts.map((host) => hostFact(host, { command: carries })),
      mcp:
        mcpPinned === null
          ? null
          : { server: 'docs', url: null, commandDigest: null, toolDigest: 'sha256:1', pinned: mcpPinned },
    });
  });
