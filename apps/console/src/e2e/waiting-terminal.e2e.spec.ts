import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { Terminal } from './waiting-terminal.spec-support.js';

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: waiting, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - id: made-by-two
    effect: approve
    actions: ['*']
    when: { command: { argv: [touch, made] } }
    approvers: { count: 1, from: [platform-oncall], ttlMinutes: 30 }
    because: what is made here is seen by two
`;

describeInBrowser('somebody who waits at a terminal', () => {
  const browser = useBrowser();
  const terminal = new Terminal([
    { calls: [{ tool: 'bash', input: { command: 'touch made' } }] },
    ...Array.from({ length: 3 }, () => ({ text: 'It is made.' })),
  ]);
  afterAll(() => terminal.close());

  it('goes on as soon as somebody has said yes in the console, and not before', async () => {
    await browser().call('edda', 'POST', '/v1/policies', { text: POLICY });
    await browser().call('edda', 'POST', '/v1/policies/waiting/publications', {
      expectedRevision: 0,
      note: 'a test',
    });
    await terminal.run(
      ['login', '--server', browser().stack.url, '--token'],
      `${browser().stack.tokens['dana'] ?? ''}\n`,
    );
    const session = terminal.open();
    await terminal.shows(/payments|waiting|policy/);
    session.stdin?.write('make it\r');
    await terminal.shows(/of 1 yes/);
    expect(existsSync(path.join(terminal.project, 'made'))).toBe(false);

    const page = await browser().as('mira', '/approvals');
    await page.getByRole('button', { name: /touch made/ }).click();
    await page.getByText('what is made here is seen by two').waitFor();
    await page.getByText(terminal.project).first().waitFor();
    await page.getByLabel('Reason').fill('seen');
    await page.getByRole('button', { name: 'Approve' }).click();

    await terminal.shows(/It is made\./);
    expect(existsSync(path.join(terminal.project, 'made'))).toBe(true);
    session.stdin?.write('\u0004');
  });
});
