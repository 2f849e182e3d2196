import { mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Facts, HookDemand, PolicyState, SessionFacts } from '@wrongstack/contracts';
import { syntheticFacts, type FactsOverrides } from '../../spec/support/synthetic-facts.js';
import {
  policyContext,
  policyDocument,
  trustEntry,
  type ContextOverrides,
  type DocumentOverrides,
} from '../../spec/support/synthetic-policies.js';
import { computeFacts } from '../facts/compute-facts.js';
import { AT_THE_KEYBOARD, sampleCall } from '../facts/sample-call.spec-support.js';
import { decide } from './decide.js';

interface Case {
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly facts?: FactsOverrides;
  readonly call?: { readonly command: string; readonly session?: Partial<SessionFacts> };
  readonly policies?: readonly DocumentOverrides[];
  readonly trust?: 'corrupt' | readonly Parameters<typeof trustEntry>[0][];
  readonly state?: PolicyState;
  readonly failure?: ContextOverrides['failure'];
  readonly demands?: readonly HookDemand[];
  readonly expect: { readonly verdict: string; readonly by?: string };
}

const { cases } = JSON.parse(readFileSync(join(__dirname, '../../spec/cases.json'), 'utf8')) as {
  cases: Case[];
};
const sections = [...new Set(cases.map(({ section }) => section))];

describe('the cases of decisions.md', () => {
  let scratch: string;
  beforeAll(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'cases-')));
    for (const folder of ['shop/src', 'shop/bar', 'shop/x', 'out', 'home']) {
      mkdirSync(join(scratch, folder), { recursive: true });
    }
    writeFileSync(join(scratch, 'shop/README.md'), 'hello\n');
    writeFileSync(join(scratch, 'shop/big.txt'), 'b\na\n');
    writeFileSync(join(scratch, 'out/x'), 'outside\n');
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('has no two cases of one name', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    expect(cases.length).toBeGreaterThanOrEqual(120);
  });

  describe.each(sections)('%s', (section) => {
    it.each(cases.filter((one) => one.section === section))('$id: $title', async (one) => {
      const facts = one.call === undefined ? syntheticFacts(one.facts) : await factsOfCall(one.call);
      const context = policyContext({
        documents: (one.policies ?? []).map(policyDocument),
        trust:
          one.trust === 'corrupt'
            ? { status: 'corrupt', file: 'trust.json', reason: 'bad JSON' }
            : (one.trust ?? []).map(trustEntry),
        state: one.state,
        failure: one.failure,
      });
      const { verdict, by } = decide(facts, context, one.demands ?? []);
      const determined = one.expect.by === undefined ? {} : { by: `${by.kind}:${by.id}` };
      expect({ verdict, ...determined }).toEqual(one.expect);
    });
  });

  function factsOfCall(call: NonNullable<Case['call']>): Promise<Facts> {
    const home = join(scratch, 'home');
    const command = call.command.replaceAll('{{OUT}}', join(scratch, 'out')).replaceAll('{{HOME}}', home);
    const root = join(scratch, 'shop');
    return computeFacts(
      sampleCall(
        root,
        { command, cwd: root },
        {
          tool: { name: 'bash', riskPerCall: true },
          session: { ...AT_THE_KEYBOARD, ...call.session },
        },
      ),
      {
        home,
        agentHome: join(home, '.wrongstack'),
        clock: { now: () => Date.parse('2026-03-04T12:00:00Z') },
        toolchainScratch: [],
      },
    );
  }
});
