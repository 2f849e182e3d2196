import type { Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { IdentityProvider } from './identity-provider.spec-support.js';
import { OwnApi } from './own-api.spec-support.js';

const CLIENT = { clientId: 'wrongstack console', secret: 'console-secret-console-secret-console' };

describeInBrowser('signing in at the organisation’s identity provider', () => {
  let api: OwnApi;
  let provider: IdentityProvider;
  beforeAll(async () => {
    api = await OwnApi.start({ WRONGSTACK_OIDC_CLIENT_SECRET: CLIENT.secret });
    provider = await IdentityProvider.start(api.stack.url, CLIENT, {
      nora: { name: 'nora', groups: ['policy'] },
      ada: { name: 'ada', groups: ['policy'] },
    });
  });
  afterAll(async () => {
    await provider.stop();
    await api.close();
  });
  const browser = useBrowser(() => api.stack);

  /** At the provider, as this person. */
  async function signInAs(page: Page, who: string): Promise<void> {
    await page.getByLabel('Who').fill(who);
    await page.getByRole('button', { name: 'Go on' }).click();
  }

  it('is set up by an admin in the console', async () => {
    const page = await browser().as('ada', '/identities/settings');
    await page.getByLabel('People sign in over an identity provider').check();
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Audience').fill('https://wrongstack.example');
    await page.getByLabel('Claim of the person').fill('name');
    await page.getByLabel('Client id of this console').fill(CLIENT.clientId);
    await page.getByText(`${api.stack.url}/v1/session/oidc/callback`).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const mapping = { group: 'policy', teams: ['payments'], roles: ['policyEditor'] };
    await browser().call('ada', 'PUT', '/v1/group-mappings', { mappings: [mapping] }, undefined, {
      'if-match': '"0"',
    });
  });

  it('leads by its button to the provider, and back to what was wanted, with the roles of one’s groups', async () => {
    const page = await browser().open('/policies');
    const button = page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` });
    // What an admin has settled is remembered for some seconds.
    for (let tries = 0; tries < 40 && (await button.count()) === 0; tries += 1) {
      await page.waitForTimeout(500);
      await page.reload();
      await page.getByLabel('Access token').waitFor();
    }
    await browser().picture(page, 'sign-in-oidc');
    await button.click();
    await signInAs(page, 'nora');
    await page.getByRole('heading', { name: 'Policies', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/policies');
    await page.getByRole('button', { name: 'nora' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    const session = (await (await page.request.get(`${api.stack.url}/v1/session`)).json()) as {
      roles: string[];
    };
    expect(session.roles).toEqual(expect.arrayContaining(['policyEditor']));
  });

  it.each([
    ['lets nobody in', 'nobody', 'The identity provider let nobody in'],
    ['names somebody who is somebody else here', 'ada', 'somebody else has that name here already'],
  ])('says so where the provider %s', async (_name, who, words) => {
    const page = await browser().open('/policies');
    await page.getByRole('link', { name: /^Sign in with/ }).click();
    await signInAs(page, who);
    await page.getByText('Signing in did not work').waitFor();
    await page.getByText(words).waitFor();
  });
});
