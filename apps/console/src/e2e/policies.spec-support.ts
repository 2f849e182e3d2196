import type { ConsoleBrowser } from './console-browser.spec-support.js';

/** A policy of the organisation whose one test expects this verdict of `kubectl drain`, which its one rule denies. */
export function drainPolicy(id: string, verdict: 'allow' | 'deny'): string {
  return `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: ${id}, revision: 1, scope: { tier: org } }
rules:
  - id: no-drain
    effect: deny
    actions: [shell.arbitrary]
    when: { command: { argv: [kubectl, drain] } }
    because: Nodes are drained by the pipeline
tests:
  - name: drain is denied
    call: { tool: bash, input: { command: "kubectl drain n1" } }
    expect: { verdict: ${verdict} }
`;
}

/** One whose first revision is in force for a tenth, and that has a draft. Gives the page of it. */
export async function aStagedPolicy(browser: ConsoleBrowser): Promise<string> {
  const id = 'platform-guard';
  const text = drainPolicy(id, 'deny');
  await browser.call('ada', 'POST', '/v1/policies', { text });
  await browser.call('ada', 'POST', `/v1/policies/${id}/publications`, {
    expectedRevision: 0,
    note: 'the first rules',
    rollout: { teams: ['platform'], percent: 10, salt: '' },
  });
  await browser.call(
    'ada',
    'PUT',
    `/v1/policies/${id}/draft`,
    { text: text.replace('by the pipeline', 'by the pipeline alone') },
    undefined,
    { 'if-none-match': '*' },
  );
  return `/policies/${id}`;
}
