import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { request } from './requests.spec-support.js';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">\u202etxt.exe\u001b[2J';

describeInBrowser('the queue of approvals', () => {
  const browser = useBrowser();
  const state = async (id: string): Promise<unknown> =>
    ((await browser().call('mira', 'GET', `/v1/approvals/${id}`)) as { state: unknown }).state;

  it('shows a request as it comes in, whole, and sends the answer with its reason', async () => {
    const page = await browser().as('mira', '/approvals');
    await page.getByText('Live', { exact: true }).waitFor();
    const id = await request(browser(), { command: 'terraform apply -auto-approve' });
    const card = page.getByRole('button', { name: /terraform apply -auto-approve/ });
    await card.click();
    const panel = page.getByRole('article', { name: 'Request' });
    await panel.getByRole('region', { name: 'The command' }).waitFor();
    const words = await panel.innerText();
    for (const known of [
      ...['terraform apply -auto-approve', '/home/dana/pay', '/home/dana/shared', 'OUTSIDE PROJECT'],
      ...[
        'https://registry.example.com:443',
        'through sudo',
        'Infra changes need two people',
        'infra-two-people',
      ],
      ...['Dana Petrov (dana)', 'payments', 'any approver'],
    ])
      expect(words).toContain(known);
    await panel.getByLabel('Reason').fill('agreed in the change meeting');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await panel.getByText('agreed in the change meeting').waitFor();
    expect(await state(id)).toBe('approved');
    await card.waitFor({ state: 'detached' });
  });

  it('shows a change line by line, and what is hidden in it', async () => {
    const before = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n');
    const after = before.replace('line 15', `line fifteen ${HOSTILE}`);
    await request(browser(), {
      command: 'edit infra/main.tf',
      because: HOSTILE,
      view: {
        card: 'diff',
        title: 'edit infra/main.tf',
        diffs: [{ path: 'infra/main.tf', oldText: before, newText: after, oldStart: 1, newStart: 1 }],
      },
    });
    const page = await browser().as('mira', '/approvals');
    await page.getByRole('button', { name: /edit infra\/main\.tf/ }).click();
    const diff = page.getByRole('region', { name: 'Changes of infra/main.tf' });
    await diff.waitFor();
    const text = await diff.innerText();
    expect(text).toContain('line fifteen <img src=x');
    expect(text).toContain('\\u202etxt.exe\\u001b[2J');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('Show 10 lines that stay the same');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Approvals · WrongStack');
  });

  it('says how it ended to somebody who was slower', async () => {
    const id = await request(browser(), { command: 'helm upgrade pay' });
    const page = await browser().as('mira', `/approvals/${id}`);
    await page.getByLabel('Reason').fill('looks right');
    await browser().call('otto', 'POST', `/v1/approvals/${id}/decisions`, {
      decision: 'reject',
      reason: 'not today',
    });
    await page.getByText('not today').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await state(id)).toBe('rejected');
  });

  it('offers no answer to those who were not asked, and the API gives none', async () => {
    const id = await request(browser(), { command: 'terraform destroy', from: ['platform-oncall'] });
    const page = await browser().as('otto', `/approvals/${id}`);
    await page.getByText('This request does not wait for you.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expect(
      browser().call('otto', 'POST', `/v1/approvals/${id}/decisions`, { decision: 'approve' }),
    ).rejects.toThrow('approval.not_asked');
    expect(await state(id)).toBe('pending');
  });

  it('is announced by the system to somebody who looks elsewhere, once they allowed it', async () => {
    const page = await browser().as('mira', '/fleet');
    await page.context().grantPermissions(['notifications']);
    await page.addInitScript(() => {
      // The real one, and a note of what it was asked to show.
      const shown: string[] = [];
      class Noted extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push(`${title}: ${options?.body ?? ''}`);
        }
      }
      Object.assign(window, { Notification: Noted, shownNotifications: shown });
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    });
    await page.goto(`${browser().url}/approvals`);
    await page.getByText('Live', { exact: true }).waitFor();
    await request(browser(), { command: `drop table ${HOSTILE}` });
    const shown = await page.waitForFunction(() => {
      const all = Reflect.get(window, 'shownNotifications') as string[];
      return all.find((text) => text.includes('drop table')) ?? null;
    });
    const text = String(await shown.jsonValue());
    expect(text).toContain('Dana Petrov asks for a yes');
    expect(text).toContain('\\u202e');
    expect(text).not.toContain('\u202e');
  });
});
