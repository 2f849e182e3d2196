import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { OwnApi } from './own-api.spec-support.js';
import { backgroundTask, letTasksRun } from './requests.spec-support.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

describeInBrowser('work in the background of the server', () => {
  let api: OwnApi;
  beforeAll(async () => {
    api = await OwnApi.start();
  });
  afterAll(() => api.close());
  const browser = useBrowser(() => api.stack);

  it('is followed as it prints, and ended by somebody who may', async () => {
    await letTasksRun(browser());
    const id = await backgroundTask(
      browser(),
      `echo begun; echo '${HOSTILE}'; for i in $(seq 1 300); do echo line $i; sleep 1; done`,
    );
    const ended = await backgroundTask(browser(), 'echo over');
    const page = await browser().as('ada', '/tasks');
    await page.getByRole('row', { name: /completed[\s\S]*echo over/ }).waitFor();
    await page.getByRole('row', { name: /running[\s\S]*echo begun/ }).click();
    const panel = page.getByRole('dialog');
    const output = panel.getByRole('region', { name: 'Output' });
    await output.getByText('line 2').waitFor();
    expect(await output.innerText()).toContain(HOSTILE);
    expect(await page.locator('img').count()).toBe(0);
    await panel.getByText('Live', { exact: true }).waitFor();
    await browser().picture(page, 'task-running');

    await panel.getByRole('button', { name: 'End this task' }).click();
    await page.getByRole('dialog', { name: 'End this task' }).getByRole('button', { name: 'End it' }).click();
    await panel
      .getByRole('definition')
      .filter({ hasText: /^killed$/ })
      .waitFor();
    await panel.getByRole('button', { name: 'End this task' }).waitFor({ state: 'detached' });
    expect(await browser().call('dana', 'GET', `/v1/tasks/${id}`)).toMatchObject({ state: 'killed' });
    expect(await browser().call('dana', 'GET', `/v1/tasks/${ended}`)).toMatchObject({ state: 'completed' });
  });

  it('of others is not shown to somebody who looks after their own', async () => {
    const page = await browser().as('dana', '/tasks');
    await page.getByRole('row', { name: /echo over/ }).waitFor();
    expect(await page.getByRole('radio', { name: /Everybody/ }).count()).toBe(0);
  });
});
