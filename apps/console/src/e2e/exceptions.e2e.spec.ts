import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { OwnApi } from './own-api.spec-support.js';
import { drainPolicy } from './policies.spec-support.js';
import { exceptionRequest } from './requests.spec-support.js';

/** Of a command that is not destructive: what a floor demands no exception lowers. */
const POLICY = drainPolicy('nodes', 'deny').replaceAll('kubectl', 'deploy');
const HOSTILE = 'the node burns <img src=x onerror=alert(1)>';

describeInBrowser('exceptions', () => {
  let api: OwnApi;
  beforeAll(async () => {
    api = await OwnApi.start();
  });
  afterAll(() => api.close());
  const browser = useBrowser(() => api.stack);

  const wanted = { document: 'nodes', rule: 'no-drain', reason: HOSTILE };
  const verdict = async (command: string): Promise<unknown> => {
    const body = { tool: 'bash', input: { command } };
    return ((await browser().call('dana', 'POST', '/v1/decisions', body)) as { verdict: unknown }).verdict;
  };

  it('are granted to who was denied, for that call and a while, by somebody who edits policies', async () => {
    await browser().call('edda', 'POST', '/v1/policies', { text: POLICY });
    await browser().call('edda', 'POST', '/v1/policies/nodes/publications', {
      ...{ expectedRevision: 0, note: 'a test' },
    });
    expect(await verdict('deploy drain n1')).toBe('deny');
    await exceptionRequest(browser(), { ...wanted, command: 'deploy drain n1' });
    const page = await browser().as('edda', '/exceptions');
    await page.getByRole('row', { name: /deploy drain n1/ }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText(HOSTILE).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await browser().picture(page, 'exception-open');
    await panel.getByLabel('Until').selectOption({ label: '8 hours from now' });
    await panel.getByLabel('Note').fill('once, for the incident');
    await panel.getByRole('button', { name: 'Grant' }).click();
    await panel.getByText('once, for the incident').waitFor();
    await panel.getByRole('link', { name: 'revision 2 of nodes' }).waitFor();
    expect(await verdict('deploy drain n1')).not.toBe('deny');
    expect(await verdict('deploy drain n2')).toBe('deny');
    await page.keyboard.press('Escape');
    await page.getByText('Nobody waits for an exception').waitFor();
  });

  it('are refused with words that whoever asked reads, and who cannot answer their own', async () => {
    await exceptionRequest(browser(), { ...wanted, command: 'deploy drain n3' });
    const edda = await browser().as('edda', '/exceptions');
    await edda.getByRole('row', { name: /deploy drain n3/ }).click();
    await edda.getByLabel('Note').fill('wait for the pipeline');
    await edda.getByRole('button', { name: 'Refuse' }).click();
    await edda.getByRole('dialog').getByText('refused').first().waitFor();

    const dana = await browser().as('dana', '/exceptions?show=refused');
    await dana.getByRole('row', { name: /deploy drain n3/ }).click();
    await dana.getByRole('dialog').getByText('wait for the pipeline').waitFor();
    await exceptionRequest(browser(), { ...wanted, command: 'deploy drain n4' });
    await dana.goto(`${browser().url}/exceptions`);
    await dana.getByRole('row', { name: /deploy drain n4/ }).click();
    await dana.getByRole('dialog').getByText(HOSTILE).waitFor();
    expect(await dana.getByRole('button', { name: 'Grant' }).count()).toBe(0);
  });
});
