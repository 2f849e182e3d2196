import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { request } from './requests.spec-support.js';

describeInBrowser('the console around its pages', () => {
  const browser = useBrowser();
  const token = (person: string): string => browser().stack.tokens[person] ?? '';

  it('signs in with a token, and out again', async () => {
    const page = await browser().open('/fleet');
    await page.getByLabel('Access token').fill('wst_nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This token does not work here').waitFor();
    await page.getByLabel('Access token').fill(token('ada'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Fleet', exact: true }).waitFor();
    expect(await page.title()).toBe('Fleet · WrongStack');
    await page.getByRole('button', { name: 'Ada Okafor' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    expect((await page.request.get(`${browser().stack.url}/v1/session`)).status()).toBe(401);
  });

  it('leads to what the roles allow, and to nothing else', async () => {
    const page = await browser().as('otto');
    await page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor();
    const links = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(links.map((text) => text.split('\n')[0])).toEqual(['Approvals', 'Identities']);
    await page.goto(`${browser().url}/fleet`);
    await page.getByRole('heading', { name: 'Not for your roles' }).waitFor();
  });

  it('is used with the keyboard: past the navigation, to a page, and to its heading', async () => {
    const page = await browser().as('ada', '/fleet');
    await page.getByRole('heading', { name: 'Fleet', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.getByRole('link', { name: 'Approvals' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('loses nothing that was typed when the session ends, and sends it after signing in again', async () => {
    const id = await request(browser(), { command: 'terraform import' });
    const page = await browser().as('mira', `/approvals/${id}`);
    await page.getByLabel('Reason').fill('typed before the session ended');
    const { session } = (await (await page.request.get(`${browser().stack.url}/v1/session`)).json()) as {
      session: { csrf: string };
    };
    const over = await page.request.delete(`${browser().stack.url}/v1/session`, {
      headers: { origin: browser().stack.url, 'x-wrongstack-csrf': session.csrf },
    });
    expect(over.status()).toBe(204);
    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session is over' });
    await browser().picture(page, 'session-over');
    await dialog.getByLabel('Access token').fill(token('mira'));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('article').getByText('typed before the session ended').waitFor();
    expect(await browser().call('mira', 'GET', `/v1/approvals/${id}`)).toMatchObject({
      state: 'approved',
      decisions: [{ reason: 'typed before the session ended' }],
    });
  });

  it('keeps what was typed over a reload', async () => {
    const id = await request(browser(), { command: 'terraform taint' });
    const page = await browser().as('mira', `/approvals/${id}`);
    await page.getByLabel('Reason').fill('half a sentence');
    await page.reload();
    await page.getByLabel('Reason').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('half a sentence');
  });

  it('says that the API is away, keeps what is shown, and goes on when it is back', async () => {
    const id = await request(browser(), { command: 'terraform plan' });
    const page = await browser().as('mira', `/approvals/${id}`);
    await page.getByLabel('Reason').fill('while it was away');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/The server has not answered since/).waitFor();
    await page.getByText('The server does not answer').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('while it was away');
    await browser().picture(page, 'api-away');
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.context().setOffline(false);
    await page.getByText(/The server has not answered since/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('article').getByText('while it was away').waitFor();
    // The browser says so as well.
    browser().faults();
  });

  it('tells a tab that is older than the server to load again', async () => {
    const page = await browser().as('ada', '/approvals');
    await page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor();
    await page.route(/fleet-page-.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('heading', { name: 'The console was updated' }).waitFor();
    // React and the boundary report what broke, for whoever has to mend it.
    expect(browser().faults().length).toBeGreaterThan(0);
    await page.unroute(/fleet-page-.*\.js$/);
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('heading', { name: 'Fleet', exact: true }).waitFor();
  });

  it('has its navigation in a drawer where there is no room beside the page', async () => {
    const page = await browser().as('ada', '/fleet', { width: 360, height: 740, scheme: 'dark' });
    await page.getByRole('button', { name: 'Open the navigation' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('link', { name: 'Audit' }).waitFor();
    await browser().picture(page, 'navigation-dark-narrow');
    await drawer.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor();
    await drawer.waitFor({ state: 'detached' });
  });
});
