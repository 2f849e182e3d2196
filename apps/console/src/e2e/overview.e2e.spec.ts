import type { Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { OwnApi } from './own-api.spec-support.js';
import { heartbeat, report, request } from './requests.spec-support.js';

interface Counted {
  readonly calls: { readonly deny: number };
  readonly prompts: { readonly asked: number };
}

const tile = (page: Page, label: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`^${label}`) });

/** What somebody counted a moment ago is shown for ten seconds. */
async function refreshUntil(page: Page, seen: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 90 && !(await seen()); tries += 1) {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.waitForTimeout(500);
  }
  expect(await seen()).toBe(true);
}

describeInBrowser('the overview', () => {
  const browser = useBrowser();

  it('is what opens first, and its figures lead to what they count', async () => {
    await heartbeat(browser(), 'stale');
    await request(browser(), { command: 'terraform output' });
    const page = await browser().as('ada');
    await page.waitForURL(/\/overview$/);
    await tile(page, 'Denied').waitFor();
    const { calls } = (await browser().call('ada', 'GET', '/v1/overview?hours=24')) as Counted;
    expect(calls.deny).toBeGreaterThan(0);
    expect(await tile(page, 'Denied').innerText()).toContain(calls.deny.toLocaleString('en'));

    await tile(page, 'Denied').click();
    await page.waitForURL(/\/audit\?kind=decision&verdict=deny&from=/);
    const rows = page.getByRole('grid').getByRole('row');
    await rows.nth(3).waitFor();
    for (const row of (await rows.allInnerTexts()).slice(1, 6)) expect(row).toMatch(/deny/);
    await page.goBack();

    await page
      .getByRole('list', { name: 'Top denying rules' })
      .getByRole('link', { name: /^no-force-push/ })
      .click();
    await page.waitForURL(/rule=no-force-push/);
    await page
      .getByRole('row', { name: /git push --force/ })
      .first()
      .waitFor();
    await page.goBack();

    await page
      .getByRole('list', { name: /^Machines/ })
      .getByRole('link', { name: /^stale/ })
      .click();
    await page.waitForURL(/\/fleet\?state=stale/);
    await page
      .getByRole('row', { name: /danas-laptop/ })
      .first()
      .waitFor();
    await page.goBack();

    await tile(page, 'Approvals').click();
    await page.waitForURL(/\/approvals\?show=waiting/);
    await page.getByRole('button', { name: /terraform output/ }).waitFor();
  });

  it('looks as far back as it is told, and into a step that is pointed at', async () => {
    const page = await browser().as('mira', '/overview');
    await page.getByText('7 days', { exact: true }).click();
    await page.waitForURL(/hours=168/);
    await page.getByText('the last 7 days, counted').waitFor();
    const chart = page.getByRole('figure', { name: 'Calls by verdict' });
    const drawn = chart.locator('.recharts-bar-rectangle').first();
    await drawn.waitFor();
    // A day in steps of four hours: the axis names days, the table for everybody else has every step.
    const table = chart.getByRole('table');
    expect(await table.getByRole('row').count()).toBeGreaterThan(42);
    await drawn.hover();
    await chart.getByText('allow :').waitFor();
    await drawn.click();
    await page.waitForURL(/\/audit\?kind=decision&from=[^&]+&to=/);
    const { from, to } = Object.fromEntries(new URL(page.url()).searchParams);
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(4 * 3_600_000);
  });

  it('counts what command lines report: prompts, answers, tokens and cost', async () => {
    const model = { provider: 'example', model: 'm-<b>1</b>' };
    const { prompts } = (await browser().call('ada', 'GET', '/v1/overview?hours=719')) as Counted;
    await report(browser(), [
      { name: 'wrongstack_prompts_total', labels: {}, value: 7 },
      { name: 'wrongstack_prompt_answers_total', labels: { answer: 'always' }, value: 7 },
      { name: 'wrongstack_model_tokens_total', labels: { ...model, kind: 'output' }, value: 120_000 },
      { name: 'wrongstack_model_cost_dollars_total', labels: model, value: 0.5 },
    ]);
    const page = await browser().as('ada', '/overview?hours=720');
    const models = page.getByRole('list', { name: 'Tokens by model' });
    await models.waitFor();
    await refreshUntil(page, async () => (await models.innerText()).includes('m-<b>1</b>'));
    expect(await models.innerText()).toMatch(/m-<b>1<\/b> \$0\.50\s+120K/);
    expect(await tile(page, 'Prompts').innerText()).toContain((prompts.asked + 7).toLocaleString('en'));
    expect(await tile(page, 'Prompts').innerText()).toMatch(/9\d% answered yes/);
    await page.getByText('let a rule allow what always gets a yes').waitFor();
    await page.getByRole('list', { name: 'How prompts were answered' }).getByText('Yes, always').waitFor();
  });

  it('leads from its cost to what was used, over time, and by whom', async () => {
    const page = await browser().as('ada', '/overview?hours=168');
    await tile(page, 'Cost').click();
    await page.waitForURL(/\/overview\/usage\?hours=168$/);
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    await page
      .getByRole('list', { name: 'Tokens by model' })
      .getByRole('link', { name: /^haiku-4-5/ })
      .click();
    await page.waitForURL(/hours=168&model=haiku-4-5$/);
    await page.getByRole('button', { name: 'Take back model haiku-4-5' }).waitFor();
    const models = page.getByRole('list', { name: 'Tokens by model' });
    await models.getByText('sonnet-4-5').waitFor({ state: 'detached' });
    const { outputTokens } = (await browser().call(
      'ada',
      'GET',
      '/v1/overview/usage?hours=168&model=haiku-4-5',
    )) as { readonly outputTokens: number };
    expect(outputTokens).toBeGreaterThan(0);
    await page.getByText(`${outputTokens.toLocaleString('en')} tokens`).waitFor();
    await page
      .getByRole('list', { name: 'Tokens by team' })
      .getByRole('link', { name: /^payments/ })
      .click();
    await page.waitForURL(/team=payments/);
    await page.getByRole('figure', { name: 'Cost in dollars' }).waitFor();
  });

  it('leads nowhere that the roles do not open', async () => {
    const page = await browser().as('edda', '/overview');
    await tile(page, 'Denied').waitFor();
    expect(await tile(page, 'Approvals').count()).toBe(0);
    await page.getByText('Approvals', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'All requests' }).count()).toBe(0);
  });
});

describeInBrowser('the overview of a fresh installation', () => {
  let api: OwnApi;
  beforeAll(async () => {
    api = await OwnApi.start();
  });
  afterAll(() => api.close());
  const browser = useBrowser(() => api.stack);

  it('says what to do first, and counts as soon as there is something', async () => {
    const page = await browser().as('ada');
    await page.getByText('Nothing to count yet').waitFor();
    const words = await page.getByRole('main').innerText();
    expect(words).toContain(`wstack login --server ${api.stack.url}`);
    await heartbeat(browser(), 'fresh');
    await refreshUntil(page, async () => (await page.getByText('Nothing to count yet').count()) === 0);
    expect(await tile(page, 'Machines').innerText()).toMatch(/1\s+all have fresh policies/);
    for (const known of [
      'No call was decided',
      'No rule has denied',
      'No tool was called',
      'No command line has reported',
    ])
      await page.getByText(known).first().waitFor();
    expect(await page.getByRole('figure').count()).toBe(0);
  });
});
