import { text } from 'node:stream/consumers';
import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';

describeInBrowser('the audit log', () => {
  const browser = useBrowser();

  it('is searched by what there is, and the address says what for', async () => {
    const page = await browser().as('mira', '/audit');
    const filters = page.getByRole('complementary', { name: 'Filters' });
    await filters.getByRole('button', { name: /^deny/ }).click();
    await page.waitForURL(/verdict=deny/);
    await filters.getByRole('button', { name: /^no-prod-kube/ }).click();
    await page.waitForURL(/rule=no-prod-kube/);
    const rows = page.getByRole('grid').getByRole('row');
    await rows.nth(3).waitFor();
    const words = (await rows.allInnerTexts()).slice(1, 6);
    for (const row of words) expect(row).toMatch(/deny[\s\S]*sudo kubectl drain n1/);
    await page.getByRole('button', { name: 'Take back verdict deny' }).click();
    await page.waitForURL((url) => !url.search.includes('verdict'));
    await page.goBack();
    await page.waitForURL(/verdict=deny/);
    await filters.getByLabel('Value').fill('nobody-of-this-name');
    await filters.getByLabel('Value').press('Enter');
    await page.getByText('No record is like that').waitFor();
  });

  it('explains a decision: what demanded something, and the rule that stood', async () => {
    const page = await browser().as('mira', '/audit?rule=no-prod-kube');
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText('What demanded something').waitFor();
    const words = await panel.innerText();
    for (const known of [
      'deny',
      'no-prod-kube',
      'payments r42',
      'Production cluster changes go through the pipeline',
    ])
      expect(words).toContain(known);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
  });

  it('shows what is hostile in it as text', async () => {
    const page = await browser().as('mira', '/audit?rule=own-project');
    await page
      .getByRole('row', { name: /<script>alert\(1\)<\/script>/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('Edits <img src=x onerror=alert(1)> inside').first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.goto(`${browser().url}/audit?rule=ask-before-delete`);
    await page
      .getByRole('row', { name: /\\u202e/ })
      .first()
      .waitFor();
  });

  it('is scrolled to its last row, page after page, with a handful of rows in the document', async () => {
    const { rows } = browser().stack;
    const page = await browser().as('mira', '/audit');
    const grid = page.getByRole('grid');
    await grid.getByRole('row').nth(5).waitFor();
    // All in the page: twenty thousand rows are some forty steps, each of which would wait for the next.
    const most = await grid.evaluate(async (element) => {
      const shown = (): number => element.querySelectorAll('[role=row]').length;
      let most = 0;
      while (element.getAttribute('aria-rowcount') === '-1') {
        element.scrollTop = element.scrollHeight;
        await new Promise((resolve) => setTimeout(resolve, 5));
        most = Math.max(most, shown());
      }
      return most;
    });
    expect(most).toBeLessThan(80);
    const count = Number(await grid.getAttribute('aria-rowcount'));
    expect(count).toBeGreaterThan(rows);

    // Each is reachable, and is the one that stands there.
    const row = (index: number) => grid.locator(`[role=row][aria-rowindex="${index}"]`);
    await grid.focus();
    await page.keyboard.press('End');
    await row(count).waitFor();
    for (const part of [0.9, 0.5, 0.123]) {
      const index = Math.floor(count * part);
      await grid.evaluate((element, at) => (element.scrollTop = at * element.scrollHeight), part);
      await row(index).waitFor();
      await row(index + 1).waitFor();
      expect(await grid.getByRole('row').count()).toBeLessThan(80);
    }
    await page.keyboard.press('Home');
    await row(2).waitFor();
  }, 120_000);

  it('is proven, and taken along', async () => {
    const page = await browser().as('mira', '/audit?rule=no-prod-kube');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The chain holds').waitFor();
    await browser().picture(page, 'audit-verified');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV/ }).click(),
    ]);
    const lines = (await text(await download.createReadStream())).trim().split('\n');
    expect(lines[0]).toContain('verdict');
    expect(lines.length).toBeGreaterThan(1_000);
    for (const line of lines.slice(1)) expect(line).toContain('no-prod-kube');
  });
});
