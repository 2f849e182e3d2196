import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePolicyDocument } from '../documents/parse-policy-document.js';
import { FixedPolicies } from '../documents/policy-documents.js';
import { AT_THE_KEYBOARD, sampleCall } from '../facts/sample-call.spec-support.js';
import { MemoryTrustStores } from '../trust/memory-trust-store.js';
import { PolicyEngine } from '../engine/policy-engine.js';
import { NotEnrolled } from '../engine/policy-state-source.js';
import { explainDecision } from './explain-decision.js';
import { explainLines, explainText } from './explain-lines.js';

const TEXT = `
apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 42, scope: { tier: team, ref: payments } }
rules:
  - id: no-prod-kube
    effect: deny
    actions: [shell.arbitrary]
    when: { command: { argv: [kubectl, [delete, drain]] } }
    because: Production cluster changes go through the pipeline
    instead: open a deploy request
  - id: routine-checks
    effect: allow
    actions: [shell.arbitrary]
    when: { tool: [test, lint, typecheck] }
    because: Routine checks
  - id: watch-sudo
    effect: deny
    actions: [shell.arbitrary]
    mode: shadow
    when: { command: { argv: [sudo] } }
    because: Trying this out
`;

describe('explaining a decision', () => {
  let project: string;
  beforeAll(async () => {
    project = await realpath(await mkdtemp(join(tmpdir(), 'explain-')));
    await mkdir(join(project, 'src'));
  });
  afterAll(() => rm(project, { recursive: true }));

  const explain = async (command: string, interactive = true) => {
    const engine = new PolicyEngine({
      documents: new FixedPolicies([await parsePolicyDocument(TEXT, { file: 'p.yaml' })]),
      trust: new MemoryTrustStores(),
      state: new NotEnrolled(),
      clock: { now: () => Date.parse('2026-11-30T14:02:00Z') },
      home: '/home/somebody',
      agentHome: '/home/somebody/.wrongstack',
      scrub: (text) => text,
      micros: () => 0,
    });
    const call = sampleCall(
      project,
      { command, paths: [], urls: [] },
      {
        session: { ...AT_THE_KEYBOARD, interactive },
        tool: { name: 'bash', riskPerCall: true },
      },
    );
    const { decision, context } = await engine.inspect(call);
    return explainDecision(decision, context?.policies ?? null);
  };

  it('shows what decided, what else was demanded and what was not', async () => {
    const view = await explain('cd src && sudo kubectl drain n1');
    expect(view).toMatchObject({
      verdict: 'deny',
      demanded: null,
      by: 'rule no-prod-kube',
      because: 'Production cluster changes go through the pipeline',
      instead: 'open a deploy request',
      policy: 'payments r42 none',
    });
    expect(view.demands).toContainEqual(
      expect.objectContaining({
        verdict: 'deny',
        source: 'rule no-prod-kube',
        document: 'team payments r42',
        kind: 'hard',
      }),
    );
    expect(view.demands).toContainEqual(
      expect.objectContaining({
        verdict: 'confirm',
        source: 'tool bash',
        kind: 'soft',
        outcome: 'not lowered',
      }),
    );
    expect(view.facts).toContain('kubectl drain n1 (through sudo)');
    expect(view.matches).toMatchObject([
      { rule: 'watch-sudo', outcome: 'not applied: shadow or overridden' },
    ]);
    expect(view.noMatch).toEqual([{ rule: 'routine-checks', reason: 'tool is not test, lint, typecheck' }]);
  });

  it('is plain text, the answer first', async () => {
    const text = explainText(await explain('sudo kubectl drain n1'));
    expect(text).toMatch(
      /^DENY · rule no-prod-kube · 0 µs\n {2}deny {6}rule no-prod-kube · team payments r42 · hard/,
    );
    expect(text).toMatch(/\n {2}because {3}Production/);
    expect(text).toMatch(/\n {2}no match {2}routine-checks: tool is not test/);
    expect(text).not.toMatch(/\u001b/);
  });

  it('says when only the channel said no, what could be remembered, and where paths lead', async () => {
    const headless = await explain('cat src/a /etc/hosts', false);
    expect(headless).toMatchObject({ verdict: 'deny', demanded: 'confirm' });
    expect(explainLines(headless)[0]?.text).toContain('policy asked for confirm');
    expect(headless.facts).toEqual(
      expect.arrayContaining(['read src/a', 'read /etc/hosts (outside the project)']),
    );
    expect((await explain('npm test')).trust).toBe('"npm test" until 2026-12-07T14:02:00.000Z');
    expect((await explain('rm -rf src')).trust).toBe('not offered: destructive is once only');
  });
});
