import { randomBytes } from 'node:crypto';
import type { ConsoleBrowser } from './console-browser.spec-support.js';

const CWD = '/home/dana/pay';
/** One an API: specs of a file share it. */
const agents = new Map<string, Promise<string>>();

/** The token of dana's machine: requests are made by machines. */
export function agentOfDana(browser: ConsoleBrowser): Promise<string> {
  const { url } = browser.stack;
  const known = agents.get(url);
  if (known !== undefined) return known;
  const agent = browser
    .call('dana', 'POST', '/v1/agents', {
      client: { name: 'wstack', version: '0.1.0', platform: 'linux-x64', host: 'danas-laptop' },
      refreshHash: `sha256:${randomBytes(32).toString('hex')}`,
    })
    .then((made) => (made as { readonly accessToken: string }).accessToken);
  agents.set(url, agent);
  return agent;
}

interface Wanted {
  readonly command?: string;
  readonly view?: object;
  readonly facts?: object;
  readonly because?: string;
  readonly count?: number;
  readonly from?: readonly string[];
}

/** A call of dana's that waits for people; gives the request's id. */
export async function request(browser: ConsoleBrowser, wanted: Wanted = {}): Promise<string> {
  const {
    command = 'terraform apply',
    because = 'Infra changes need two people',
    count = 1,
    from = [],
  } = wanted;
  const id = `ap-${randomBytes(6).toString('hex')}`;
  const token = await agentOfDana(browser);
  await browser.call(
    'dana',
    'POST',
    '/v1/approvals',
    {
      ...{ id, kind: 'approve', digest: `sha256:${randomBytes(32).toString('hex')}`, decision: 'd-7f3a20f1' },
      ...{ session: null, tool: 'bash', title: `bash ${command}`, rule: 'infra-two-people' },
      ...{ document: 'payments', revision: 42, because, ttlMinutes: 30 },
      view: wanted.view ?? { card: 'terminal', title: command, cwd: CWD },
      facts: wanted.facts ?? factsOf(command),
      approvers: { count, from, excludeRequester: true },
    },
    token,
  );
  return id;
}

/** As the policy engine computes them; only what a page shows. */
export function factsOf(command: string, paths: readonly object[] = []): object {
  return {
    ...{ tool: 'bash', owner: 'core', callRisk: 'destructive', riskReasons: ['terraform apply'] },
    effective: [{ name: 'shell.arbitrary', declared: true, carriedBy: 'all' }],
    command: {
      text: command,
      unparsed: false,
      commands: [{ text: command, traits: ['pipe'], through: ['sudo'], riskReason: null }],
    },
    paths: [
      { claimed: 'infra', real: `${CWD}/infra`, access: 'write', inside: true, exists: true },
      { claimed: '../shared', real: '/home/dana/shared', access: 'write', inside: false, exists: true },
      ...paths,
    ],
    hosts: [{ scheme: 'https', host: 'registry.example.com', port: 443 }],
    actor: { user: { name: 'dana', authenticated: true }, team: { name: 'payments', authenticated: true } },
    ...{ project: CWD, cwd: CWD },
  };
}

/** Dana's machine says what it has counted since it last did. */
export async function report(
  browser: ConsoleBrowser,
  counters: readonly { readonly name: string; readonly labels: object; readonly value: number }[],
): Promise<void> {
  const key = { 'idempotency-key': randomBytes(8).toString('hex') };
  const token = await agentOfDana(browser);
  await browser.call('dana', 'POST', '/v1/metrics/deltas', { counters }, token, key);
}

/** Dana's machine says what it runs. */
export async function heartbeat(browser: ConsoleBrowser, state: 'fresh' | 'stale'): Promise<void> {
  const token = await agentOfDana(browser);
  await browser.call(
    'dana',
    'POST',
    '/v1/heartbeats',
    {
      ...{ version: '0.1.0', platform: 'linux-x64', bundle: null, state },
      ...{ policyVersions: ['policy.wrongstack/v1'], auditPending: 0, refused: null },
    },
    token,
  );
}

/** What the tasks below run is allowed on the server. */
export async function letTasksRun(browser: ConsoleBrowser): Promise<void> {
  const text = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: background, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - id: may-print
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: [[echo, sleep, seq]] } }
    because: printing harms nobody
`;
  await browser.call('edda', 'POST', '/v1/policies', { text });
  const first = { expectedRevision: 0, note: 'a test' };
  await browser.call('edda', 'POST', '/v1/policies/background/publications', first);
}

/** A task of dana's on the server; gives its id. */
export async function backgroundTask(browser: ConsoleBrowser, command: string): Promise<string> {
  const body = { input: { command, run_in_background: true } };
  const { task } = (await browser.call('dana', 'POST', '/v1/tools/bash/calls', body)) as {
    task: { id: string };
  };
  return task.id;
}

/** Dana was denied, and asks that the rule should not hold for her; gives the request's id. */
export async function exceptionRequest(
  browser: ConsoleBrowser,
  wanted: {
    readonly document: string;
    readonly rule: string;
    readonly command: string;
    readonly reason: string;
  },
): Promise<string> {
  const { document, rule, command, reason } = wanted;
  const parts = {
    argv: command.split(' '),
    text: command,
    traits: [],
    through: [],
    wrapper: 'none',
    inner: [],
  };
  const { id } = (await browser.call('dana', 'POST', '/v1/exception-requests', {
    ...{ document, rule, revision: 1, reason, decision: `d-${randomBytes(4).toString('hex')}`, tool: 'bash' },
    ...{ title: `bash ${command}`, digest: `sha256:${randomBytes(32).toString('hex')}`, wantedUntil: null },
    facts: {
      ...{ tool: 'bash', paths: [], hosts: [] },
      command: { text: command, unparsed: false, commands: [parts] },
    },
  })) as { readonly id: string };
  return id;
}
