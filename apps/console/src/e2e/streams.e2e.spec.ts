import type { Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { FaultyNetwork } from './faulty-network.spec-support.js';
import { OwnApi } from './own-api.spec-support.js';
import { request } from './requests.spec-support.js';

// A stream that hangs looks like one on which nothing happens: only the signs of life that do not come tell them apart. The time of
// the page is moved on; the network is a real one.

describeInBrowser('a stream that says nothing', () => {
  let network: FaultyNetwork;
  let api: OwnApi;
  beforeAll(async () => {
    network = await FaultyNetwork.listen();
    // It has to know by which address people reach it.
    api = await OwnApi.start({ WRONGSTACK_URL: network.url });
    network.leadTo(api.stack.url);
  });
  afterEach(() => {
    network.weather = 'fine';
  });
  afterAll(async () => {
    await network.close();
    await api.close();
  });
  const browser = useBrowser(() => ({ ...api.stack, url: network.url }));

  const notice = (page: Page) => page.getByRole('main').getByRole('status');
  const says = (page: Page, words: RegExp) => notice(page).filter({ hasText: words }).first().waitFor();

  async function queue(): Promise<Page> {
    const page = await browser().as('mira', '/approvals');
    // Before the page begins: what it has already read of the time must not change.
    await page.clock.install();
    await page.reload();
    await says(page, /^Live$/);
    return page;
  }

  it('is called slow, and live again as soon as something comes', async () => {
    const page = await queue();
    const opened = network.streams;
    network.weather = 'silent';
    await page.clock.fastForward(21_000);
    await says(page, /^Slow: nothing was heard for 20 s/);
    await browser().picture(page, 'stream-slow');
    network.weather = 'fine';
    await request(browser(), { command: 'terraform refresh' });
    await page.getByRole('button', { name: /terraform refresh/ }).waitFor();
    await says(page, /^Live$/);
    expect(network.streams).toBe(opened);
  });

  it('is given up after a while and opened again, and what happened meanwhile is shown', async () => {
    const page = await queue();
    const opened = network.streams;
    network.weather = 'silent';
    await request(browser(), { command: 'terraform state rm' });
    await page.clock.fastForward(21_000);
    await says(page, /^Slow/);
    network.weather = 'closed';
    await page.clock.fastForward(21_000);
    await says(page, /^Out of touch: what you see may be old/);
    await browser().picture(page, 'stream-late');
    expect(await page.getByRole('button', { name: /terraform state rm/ }).count()).toBe(0);
    network.weather = 'fine';
    await page.getByRole('button', { name: /terraform state rm/ }).waitFor();
    await says(page, /^Live$/);
    expect(network.streams).toBeGreaterThan(opened);
  });

  it('is opened at once for somebody who would not wait', async () => {
    const page = await queue();
    network.weather = 'silent';
    await page.clock.fastForward(21_000);
    await says(page, /^Slow/);
    const opened = network.streams;
    network.weather = 'fine';
    await page.getByRole('button', { name: 'Connect now' }).click();
    await says(page, /^Live$/);
    expect(network.streams).toBe(opened + 1);
  });
});
