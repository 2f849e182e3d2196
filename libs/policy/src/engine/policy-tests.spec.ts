import type { RegisteredTool } from '@wrongstack/contracts';
import { parsePolicyDocument } from '../documents/parse-policy-document.js';
import { sampleCall } from '../facts/sample-call.spec-support.js';
import { runPolicyTests } from './policy-tests.js';

const clock = { now: () => Date.parse('2026-11-30T14:02:00Z') };

const bash: RegisteredTool = {
  ...sampleCall('/project', {}).tool,
  name: 'bash',
  riskPerCall: true,
  describeCall: (input: { command: string }) => ({ command: input.command, paths: [], urls: [] }),
};

const text = (tests: string) => `
apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 42, scope: { tier: team, ref: payments } }
rules:
  - id: no-prod-kube
    effect: deny
    actions: [shell.arbitrary, shell.restricted]
    when: { command: { argv: [kubectl, [delete, drain]] } }
    because: Production cluster changes go through the pipeline
  - id: infra-two-people
    effect: approve
    actions: [fs.write]
    when: { path: { some: ["infra/**"] } }
    approvers: { count: 2, from: [platform-oncall], ttlMinutes: 30 }
    because: Infra changes need two people
  - id: reads
    effect: allow
    actions: [shell.arbitrary]
    who: { user: [mira] }
    when: { command: { argv: ["set:readOnlyCommands"] } }
    because: Reading is fine
tests:
${tests}`;

const run = async (tests: string, tools = [bash]) =>
  runPolicyTests(await parsePolicyDocument(text(tests), { file: 'p.yaml' }), tools, { clock });

describe('the tests in a policy document', () => {
  it('run through the whole engine', async () => {
    const results = await run(`
  - { name: wrapped, call: { tool: bash, input: { command: "cd x && sudo /usr/bin/kubectl -n prod drain n1" } }, expect: { verdict: deny, rule: no-prod-kube } }
  - { name: redirect, call: { tool: bash, input: { command: "echo x > infra/a.tf" } }, expect: { verdict: approve, rule: infra-two-people } }
  - { name: from below, call: { tool: bash, cwd: infra/sub, input: { command: "echo x > ../a.tf" } }, expect: { verdict: approve } }
  - { name: reads, principal: { user: mira }, call: { tool: bash, input: { command: "git status" } }, expect: { verdict: allow, rule: reads, source: rule } }
  - { name: somebody, call: { tool: bash, input: { command: "git status" } }, expect: { verdict: confirm, source: tool } }
  - { name: headless, session: { interactive: false }, call: { tool: bash, input: { command: "npm test" } }, expect: { verdict: deny } }
  - { name: subagent, principal: { user: mira, subagent: true }, call: { tool: bash, input: { command: "git status" } }, expect: { verdict: deny } }
`);
    expect(results.filter(({ passed }) => !passed).map(({ name, message }) => [name, message])).toEqual([]);
  });

  it('say in one line what came instead', async () => {
    const results = await run(`
  - { name: verdict, call: { tool: bash, input: { command: "npm test" } }, expect: { verdict: allow } }
  - { name: rule, call: { tool: bash, input: { command: "kubectl drain n1" } }, expect: { verdict: deny, rule: other } }
  - { name: source, call: { tool: bash, input: { command: "npm test" } }, expect: { verdict: confirm, source: rule } }
  - { name: tool, call: { tool: nothing }, expect: { verdict: deny } }
`);
    expect(results.map(({ passed }) => passed)).toEqual([false, false, false, false]);
    expect(results.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^expected allow, got confirm by tool bash: .+$/),
      'expected rule other, decided by rule no-prod-kube',
      'expected source rule, decided by tool bash',
      'there is no tool nothing',
    ]);
  });
});
