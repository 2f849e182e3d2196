import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision } from '@wrongstack/contracts';
import type { PolicyDocument, PolicyRule } from '../documents/policy-document.js';
import { FixedPolicies } from '../documents/policy-documents.js';
import { AT_THE_KEYBOARD, sampleCall } from '../facts/sample-call.spec-support.js';
import { MemoryTrustStores } from '../trust/memory-trust-store.js';
import { emptyDisk } from './empty-disk.js';
import { PolicyEngine } from './policy-engine.js';
import { NotEnrolled } from './policy-state-source.js';

/** First words that are allowed or denied, and what becomes of each command line. */
interface Group {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly runs?: readonly string[];
  readonly asked?: readonly string[];
  readonly denied?: readonly string[];
  readonly destructive?: readonly string[];
  readonly ordinary?: readonly string[];
  readonly needless?: Readonly<Record<string, string>>;
}

const FILE = join(__dirname, '../../spec/command-verdicts.json');
const { groups } = JSON.parse(readFileSync(FILE, 'utf8')) as { groups: readonly Group[] };

const rule = (effect: 'allow' | 'deny', words: string, index: number): PolicyRule => ({
  id: `${effect}-${index}`,
  effect,
  actions: effect === 'allow' ? ['shell.arbitrary'] : ['*'],
  when: { command: { argv: words.split(' ') } },
  because: `the test says ${effect}`,
});

function engineFor({ allow, deny }: Pick<Group, 'allow' | 'deny'>): PolicyEngine {
  const document: PolicyDocument = {
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: { id: 'verdicts', revision: 1, scope: { tier: 'user' } },
    rules: [
      ...allow.map((words, index) => rule('allow', words, index)),
      ...deny.map((words, index) => rule('deny', words, index)),
    ],
  };
  return new PolicyEngine({
    documents: new FixedPolicies([document]),
    trust: new MemoryTrustStores(),
    state: new NotEnrolled(),
    clock: { now: () => 0 },
    home: '/home/ada',
    agentHome: '/home/ada/.wrongstack',
    scrub: (text) => text,
    fs: emptyDisk(['/work/pay', '/home/ada']),
  });
}

const decide = (engine: PolicyEngine, command: string, yolo = false): Promise<Decision> =>
  engine.decide(
    sampleCall(
      '/work/pay',
      { command, paths: [], urls: [] },
      { tool: { name: 'bash', riskPerCall: true }, session: { ...AT_THE_KEYBOARD, yolo } },
    ),
  );

describe.each(groups)('where $allow may run and $deny may not', (group) => {
  const engine = engineFor(group);
  const { runs = [], asked = [], denied = [], destructive = [], ordinary = [], needless = {} } = group;
  const cases = (commands: readonly string[], demanded: string) =>
    commands.map((command) => [demanded, command] as const);

  it.each([
    ...cases(runs, 'allow'),
    ...cases(asked, 'confirm'),
    ...cases(Object.keys(needless), needless['npm install `echo test`'] === undefined ? 'confirm' : 'deny'),
    ...cases(denied, 'deny'),
    ...cases(destructive, 'confirm'),
  ])('%s: %j', async (demanded, command) => {
    expect((await decide(engine, command)).demanded).toBe(demanded);
  });

  it('asks under YOLO about what destroys, and about nothing that does not', async () => {
    for (const command of destructive) {
      expect([command, (await decide(engine, command, true)).demanded]).toEqual([command, 'confirm']);
    }
    for (const command of ordinary) {
      expect([command, (await decide(engine, command, true)).demanded]).toEqual([command, 'allow']);
    }
  });
});
