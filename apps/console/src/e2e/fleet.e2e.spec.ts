import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { heartbeat } from './requests.spec-support.js';

describeInBrowser('the fleet', () => {
  const browser = useBrowser();

  it('shows what each machine said last, and what to do where that is not right', async () => {
    await heartbeat(browser(), 'stale');
    const page = await browser().as('ada', '/fleet');
    await page.getByRole('button', { name: 'Policy stale' }).click();
    await page.waitForURL(/reason=stale/);
    await page
      .getByRole('row', { name: /danas-laptop[\s\S]*policy not fresh/ })
      .first()
      .click();
    const panel = page.getByRole('dialog');
    const words = await panel.innerText();
    for (const known of ['danas-laptop', 'dana', '0.1.0 on linux-x64', 'Its policies are not fresh'])
      expect(words).toContain(known);
    await panel.getByRole('link', { name: /in the audit log/ }).click();
    await page.waitForURL(/audit\?actor=dana/);
    await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor();
  });
});
