import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';

describeInBrowser('identities', () => {
  const browser = useBrowser();
  const statusWith = async (token: string): Promise<number> =>
    (await fetch(`${browser().stack.url}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } }))
      .status;

  it('gives a token that is shown once, and takes it back: the API refuses it, and the session of it ends', async () => {
    const ada = await browser().as('ada', '/identities/tokens');
    await ada.getByRole('button', { name: 'New token' }).click();
    const dialog = ada.getByRole('dialog');
    await dialog.getByLabel('Name').fill('for the e2e <b>test</b>');
    await dialog.getByRole('button', { name: 'Issue' }).click();
    await dialog.getByText('It is shown this once').waitFor();
    const token = (await dialog.getByText(/^wst_/).innerText()).trim();
    expect(await statusWith(token)).toBe(200);
    await dialog.getByRole('button', { name: 'I have it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await ada.content()).not.toContain(token);

    // Somebody signs in with it, and looks at a page.
    const other = await browser().open('/fleet');
    await other.getByLabel('Access token').fill(token);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Fleet', exact: true }).waitFor();

    await ada.getByRole('row', { name: /for the e2e <b>test<\/b>/ }).click();
    await ada.getByRole('button', { name: 'Revoke this token' }).click();
    const last = ada.getByRole('dialog', { name: 'Revoke this token' });
    await last.getByRole('button', { name: 'Revoke' }).click();
    await ada.getByText('The token is revoked').waitFor();
    await ada.getByRole('row', { name: /for the e2e <b>test<\/b>[\s\S]*revoked/ }).waitFor();
    expect(await statusWith(token)).toBe(401);

    await other.getByRole('link', { name: 'Audit' }).click();
    await other.getByRole('dialog', { name: 'Your session is over' }).waitFor();
    expect((await other.request.get(`${browser().stack.url}/v1/session`)).status()).toBe(401);
  });

  it('shows what each role may do, from the table that every route asks', async () => {
    const page = await browser().as('ada', '/identities/roles');
    const { roles } = (await browser().call('ada', 'GET', '/v1/roles')) as {
      roles: { role: string; abilities: string[] }[];
    };
    for (const { role } of roles) await page.getByRole('heading', { name: new RegExp(`^${role}`) }).waitFor();
    const approver = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: /^approver/ }) });
    expect(await approver.first().innerText()).toMatch(/approval\s+read, decide/);
  });

  it('gives groups of the identity provider teams and roles, and loses nothing that another admin saved meanwhile', async () => {
    const ada = await browser().as('ada', '/identities/groups');
    await ada.getByRole('button', { name: 'Add a group' }).click();
    await ada.getByRole('textbox', { name: 'Group' }).fill('sre');
    const before = await fetch(`${browser().stack.url}/v1/group-mappings`, {
      headers: { authorization: `Bearer ${browser().stack.tokens['ada'] ?? ''}` },
    });
    const mapping = { group: 'dev', teams: ['payments'], roles: ['developer'] };
    await browser().call('ada', 'PUT', '/v1/group-mappings', { mappings: [mapping] }, undefined, {
      'if-match': before.headers.get('etag') ?? '',
    });
    await ada.getByRole('button', { name: 'Save', exact: true }).click();
    await ada.getByText('Changed meanwhile', { exact: true }).waitFor();
    expect(await ada.getByRole('textbox', { name: 'Group' }).inputValue()).toBe('sre');
    await ada.getByRole('button', { name: 'Show what is saved' }).click();
    await ada.getByRole('button', { name: 'Add a group' }).click();
    await ada.getByRole('textbox', { name: 'Group' }).nth(1).fill('sre');
    await ada.getByRole('button', { name: 'Save', exact: true }).click();
    await ada.getByText('Saved', { exact: true }).waitFor();
    const { mappings } = (await browser().call('ada', 'GET', '/v1/group-mappings')) as {
      mappings: { group: string }[];
    };
    expect(mappings.map(({ group }) => group)).toEqual(['dev', 'sre']);
  });

  it('shows to each only what they may, and the API refuses the rest all the same', async () => {
    const page = await browser().as('otto', '/identities');
    await page.getByRole('tab', { name: 'Tokens' }).waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Tokens', 'Agents']);
    await expect(browser().call('otto', 'GET', '/v1/users')).rejects.toThrow('403');
    await expect(browser().call('otto', 'GET', '/v1/settings')).rejects.toThrow('403');
  });
});
