import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { FaultyNetwork } from './faulty-network.spec-support.js';
import { OwnApi } from './own-api.spec-support.js';
import { Terminal } from './waiting-terminal.spec-support.js';

describeInBrowser('letting a machine in', () => {
  let network: FaultyNetwork;
  let api: OwnApi;
  beforeAll(async () => {
    network = await FaultyNetwork.listen();
    // The address that the machine prints is the one by which people reach the API.
    api = await OwnApi.start({ WRONGSTACK_URL: network.url });
    network.leadTo(api.stack.url);
  });
  afterAll(async () => {
    await network.close();
    await api.close();
  });
  const browser = useBrowser(() => ({ ...api.stack, url: network.url }));
  const terminals: Terminal[] = [];
  afterEach(() => {
    for (const terminal of terminals.splice(0)) terminal.close();
  });

  /** `wstack login` on a machine; gives the address that it prints. */
  async function login(): Promise<{
    readonly terminal: Terminal;
    readonly ended: Promise<void>;
    readonly url: URL;
  }> {
    const terminal = new Terminal([]);
    terminals.push(terminal);
    const ended = terminal.run(['login', '--server', browser().stack.url]);
    ended.catch(() => undefined);
    await terminal.shows(/waiting\s+until the code is confirmed there/);
    const url = new URL(/open\s+(\S+)/.exec(terminal.screen)?.[1] ?? '');
    return { terminal, ended, url };
  }

  it('takes the address that the machine prints, and a person who looks and says yes', async () => {
    const { terminal, ended, url } = await login();
    expect(`${url.origin}${url.pathname}`).toBe(`${browser().stack.url}/console/enrol`);
    const page = await browser().open(`${url.pathname.replace('/console', '')}${url.search}`);
    await page.getByLabel('Access token').fill(browser().stack.tokens['dana'] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Is this your machine?').waitFor();
    await page.getByText(url.searchParams.get('code') ?? 'no code').waitFor();
    await page.getByText('Dana Petrov (dana)').waitFor();
    await page.getByRole('button', { name: 'Let it in' }).click();
    await page.getByText('The machine is let in').waitFor();
    await ended;
    expect(terminal.screen).toMatch(/signed in to \S+ as Dana Petrov/);
  });

  it('turns a machine away that is nobody’s, and that machine is told', async () => {
    const { terminal, ended, url } = await login();
    const page = await browser().as('dana', '/identities/agents');
    await page.getByRole('link', { name: 'Let a machine in' }).click();
    await page.getByLabel('Code on the machine').fill('short');
    await page.getByRole('button', { name: 'Show the machine' }).click();
    await page.getByText('A code has eight letters').waitFor();
    const code = url.searchParams.get('code') ?? '';
    await page.getByLabel('Code on the machine').fill(code.replace('-', '').toLowerCase());
    await page.getByRole('button', { name: 'Show the machine' }).click();
    await page.getByRole('button', { name: 'It is not mine' }).click();
    await page.getByText('The machine was turned away').waitFor();
    await expect(ended).rejects.toThrow('ended with');
    expect(terminal.screen).toMatch(/somebody said no/);
  });

  it('says what is wrong with a code that nobody waits with', async () => {
    const page = await browser().as('dana', '/enrol?code=BCDF-GHJK');
    await page.getByText('No device waits with this code').waitFor();
    await page.getByRole('button', { name: 'Another code' }).click();
    await page.getByLabel('Code on the machine').waitFor();
  });
});
