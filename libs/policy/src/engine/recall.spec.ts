import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  canonicalJson,
  deepFreeze,
  NOBODY,
  type ActorFacts,
  type Decision,
  type ToolCall,
} from '@wrongstack/contracts';
import fc from 'fast-check';
import { PolicyDocuments, type LoadedPolicies } from '../documents/policy-documents.js';
import type { PolicyDocument, PolicyRule } from '../documents/policy-document.js';
import { AT_THE_KEYBOARD, sampleCall } from '../facts/sample-call.spec-support.js';
import { MemoryTrustStores } from '../trust/memory-trust-store.js';
import { PolicyEngine } from './policy-engine.js';
import { NotEnrolled } from './policy-state-source.js';

const rule = (id: string, effect: PolicyRule['effect'], change: Partial<PolicyRule>): PolicyRule => ({
  ...{ id, effect, actions: ['*'], because: 'of the test' },
  ...change,
});
const EDITIONS = [
  [],
  [rule('npm', 'allow', { when: { command: { argv: ['npm', 'test'] } } })],
  [
    rule('ann', 'allow', { when: { command: { argv: ['ls'] } }, who: { user: ['ann'] } }),
    rule('today', 'allow', { expiresAt: '2026-12-01T00:00:00Z' }),
    rule('secrets', 'deny', { when: { path: { some: ['**/secret*'] } } }),
  ],
  [
    rule('hours', 'deny', { when: { time: { from: '09:00', to: '17:00', tz: 'UTC' } } }),
    rule('teams', 'approve', { approvers: { count: 1, from: ['sec'] }, who: { team: ['payments'] } }),
  ],
] satisfies readonly (readonly PolicyRule[])[];
const COMMANDS = [
  'npm test',
  'ls',
  'cat there',
  'rm -rf there/..',
  './there && ls *',
  'cp -r there out',
  'cat ~/.ssh/id_rsa',
  'echo hunter2 > there/secret',
  'for',
];
const known = (name: string) => ({ name, authenticated: true });
const ACTORS: readonly ActorFacts[] = [
  NOBODY,
  { ...NOBODY, user: known('ann'), team: known('payments') },
  { ...NOBODY, user: known('ben'), team: known('search'), roles: [known('dev')] },
  { ...NOBODY, user: { name: 'ann', authenticated: false } },
  {
    ...NOBODY,
    subagent: 'helper',
    subagentDepth: 1,
    ceiling: [],
    parent: { ...NOBODY, user: known('ann') },
  },
];
/** What `there` is: what a name leads to may change between any two calls. */
const DISKS = ['nothing', 'file', 'other file', 'folder', 'link out', 'link in'] as const;

type Step =
  | { readonly does: 'call'; readonly command: number; readonly actor: number; readonly interactive: boolean }
  | { readonly does: 'disk'; readonly there: (typeof DISKS)[number] }
  | { readonly does: 'publish'; readonly edition: number }
  | { readonly does: 'learn' }
  | { readonly does: 'wait'; readonly hours: number }
  | { readonly does: 'trust'; readonly effect: 'allow' | 'deny' };

const call: fc.Arbitrary<Step> = fc.record({
  does: fc.constant('call' as const),
  command: fc.nat(COMMANDS.length - 1),
  actor: fc.nat(ACTORS.length - 1),
  interactive: fc.boolean(),
});
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: call },
    fc.record({ does: fc.constant('disk' as const), there: fc.constantFrom(...DISKS) }),
    fc.record({ does: fc.constant('publish' as const), edition: fc.nat(EDITIONS.length - 1) }),
    fc.constant({ does: 'learn' as const }),
    fc.record({ does: fc.constant('wait' as const), hours: fc.nat(30) }),
    fc.record({
      does: fc.constant('trust' as const),
      effect: fc.constantFrom('allow' as const, 'deny' as const),
    }),
  ),
  { minLength: 5, maxLength: 40 },
);

/** One machine on which two engines decide, of which one remembers. */
class Machine {
  readonly tool: ToolCall['tool'];
  now = Date.parse('2026-11-30T14:02:00Z');
  learned = 0;
  masked = 0;
  private readonly trust = new MemoryTrustStores();
  private loaded: LoadedPolicies = { documents: [], failure: null };
  readonly engines: { readonly forgets: PolicyEngine; readonly recalls: PolicyEngine };

  constructor(
    readonly root: string,
    bytes = 1_000_000,
  ) {
    const { tool } = sampleCall(this.project, {});
    this.tool = Object.freeze({
      ...tool,
      ...{ name: 'bash', riskPerCall: true },
      describeCall: (input: unknown) => ({ ...(input as { command: string }), paths: [], urls: [] }),
    });
    this.engines = { forgets: this.engine(null), recalls: this.engine(bytes) };
  }

  get project(): string {
    return join(this.root, 'pay');
  }

  private engine(bytes: number | null): PolicyEngine {
    const loaded = (): LoadedPolicies => this.loaded;
    class Published extends PolicyDocuments {
      override async load(): Promise<LoadedPolicies> {
        return loaded();
      }
    }
    return new PolicyEngine({
      documents: new Published(),
      trust: this.trust,
      state: new NotEnrolled(),
      clock: { now: () => this.now },
      home: join(this.root, 'home'),
      agentHome: join(this.root, 'home', '.wrongstack'),
      scrub: (text) => {
        this.masked += 1;
        return this.learned === 0 ? text : text.replaceAll('hunter2', '***');
      },
      ...(bytes === null ? {} : { recall: { bytes, scrubEdition: () => this.learned } }),
    });
  }

  publish(edition: number): void {
    const metadata = { id: 'acme', revision: edition, scope: { tier: 'org' as const } };
    const document: PolicyDocument = {
      ...{ apiVersion: 'policy.wrongstack/v1', kind: 'CapabilityPolicy', metadata },
      rules: EDITIONS[edition] ?? [],
    };
    this.loaded = { documents: [document], failure: null };
  }

  async put(there: (typeof DISKS)[number]): Promise<void> {
    const path = join(this.project, 'there');
    await rm(path, { recursive: true, force: true });
    if (there === 'file' || there === 'other file') await writeFile(path, there, { mode: 0o755 });
    if (there === 'folder') await mkdir(path);
    if (there === 'link out') await symlink(this.root, path);
    if (there === 'link in') await symlink(join(this.project, 'src'), path);
  }

  call(command: number, actor: number, interactive: boolean): ToolCall {
    return sampleCall(
      this.project,
      {},
      {
        input: deepFreeze({ command: COMMANDS[command] }),
        actor: ACTORS[actor] ?? NOBODY,
        session: { ...AT_THE_KEYBOARD, interactive },
        tool: this.tool,
      },
    );
  }
}

const timeless = ({ id: _id, micros: _micros, ...rest }: Decision): unknown => rest;

describe('a policy engine that recalls', () => {
  let root: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'recall-')));
    for (const folder of ['pay/src', 'home/.wrongstack'])
      await mkdir(join(root, folder), { recursive: true });
  });
  afterEach(() => rm(root, { recursive: true }));

  /** The tool must be the very object each time, as it is in a registry. */
  const callOf = (machine: Machine, command: number, actor = 0, interactive = false): ToolCall => ({
    ...machine.call(command, actor, interactive),
    tool: machine.tool,
  });

  it('decides each call as one that forgets, whatever changes between two of them', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(1_000_000, 60_000), async (all, bytes) => {
        const machine = new Machine(root, bytes);
        await machine.put('nothing');
        let last: { readonly call: ToolCall; readonly mine: Decision } | null = null;
        for (const step of all) {
          switch (step.does) {
            case 'call': {
              const asked = callOf(machine, step.command, step.actor, step.interactive);
              const theirs = await machine.engines.forgets.decide(asked);
              const mine = await machine.engines.recalls.decide(asked);
              expect(timeless(mine)).toEqual(timeless(theirs));
              // The text that is kept is the text that would be written.
              expect(canonicalJson(mine)).toBe(canonicalJson(structuredClone(mine)));
              const rechecked = await machine.engines.recalls.recheck(asked, mine, null);
              expect(rechecked.approvalDigest).toBe(mine.approvalDigest);
              last = { call: asked, mine };
              break;
            }
            case 'disk':
              await machine.put(step.there);
              break;
            case 'publish':
              machine.publish(step.edition);
              break;
            case 'learn':
              machine.learned += 1;
              break;
            case 'wait':
              machine.now += step.hours * 3_600_000;
              break;
            case 'trust':
              if (last?.mine.trustOffer.offered !== true) break;
              await machine.engines.recalls
                .remember(last.call, last.mine, step.effect)
                .catch(() => undefined);
              break;
          }
        }
      }),
      { numRuns: 60 },
    );
  }, 300_000);

  it('works nothing out for a call that came before, for another person neither', async () => {
    const machine = new Machine(root);
    machine.publish(1);
    const { recalls } = machine.engines;
    await recalls.decide(callOf(machine, 0, 1));
    const worked = machine.masked;
    const again = await recalls.decide(callOf(machine, 0, 1));
    const another = await recalls.decide(callOf(machine, 0, 2));
    expect(machine.masked).toBe(worked);
    expect([again.verdict, another.verdict]).toEqual(['allow', 'allow']);
    expect([again.facts.actor.user?.name, another.facts.actor.user?.name]).toEqual(['ann', 'ben']);
  });

  it('works out again what the disk has made another call, and whatever the time may have changed', async () => {
    const machine = new Machine(root);
    const { recalls } = machine.engines;
    machine.publish(1);
    const inside = await recalls.decide(callOf(machine, 2));
    await machine.put('link out');
    const outside = await recalls.decide(callOf(machine, 2));
    const paths = [inside, outside].map(({ facts }) => (facts.paths === 'unknown' ? [] : facts.paths));
    expect(paths.map(([path]) => path?.inside)).toEqual([true, false]);
    machine.publish(2);
    expect((await recalls.decide(callOf(machine, 0))).verdict).toBe('allow');
    machine.now = Date.parse('2026-12-01T00:00:00Z');
    expect((await recalls.decide(callOf(machine, 0))).verdict).toBe('deny');
  });
});
