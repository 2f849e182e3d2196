import type { Page } from 'playwright-core';
import { type ConsoleBrowser, describeInBrowser, useBrowser } from './console-browser.spec-support.js';
import { drainPolicy } from './policies.spec-support.js';

// The whole life of a policy, as the people who govern live it: ada edits and publishes, edda reviews.

describeInBrowser('a policy', () => {
  const browser = useBrowser();

  it('goes from a draft over a failing test, a replay, four eyes and a stage to a halt and a way back', async () => {
    await fourEyes(browser(), true);
    const ada = await browser().as('ada', '/policies');
    await ada.getByRole('button', { name: 'New policy' }).click();
    await ada.getByRole('textbox', { name: 'Id' }).fill('nodes');
    await ada.getByRole('button', { name: 'Begin a draft' }).click();
    await ada.getByRole('heading', { name: 'nodes' }).waitFor();

    // Its test fails, and it says so while it is typed.
    await write(ada, drainPolicy('nodes', 'allow'));
    await ada.getByText('1 of 1 tests fail').waitFor();
    await save(ada);
    await tab(ada, 'Publish');
    await ada.getByRole('button', { name: 'Publish' }).click();
    await ada.getByText(/test "drain is denied" fails/i).waitFor();

    await tab(ada, 'Rules');
    await write(ada, drainPolicy('nodes', 'deny'));
    await ada.getByText('All 1 tests pass').waitFor();
    await save(ada);

    await tab(ada, 'What if');
    await ada.getByRole('button', { name: 'Ask' }).click();
    await ada
      .getByRole('heading', { name: /The verdict/ })
      .getByText('deny')
      .waitFor();
    await ada.getByText('Nodes are drained by the pipeline').first().waitFor();

    await tab(ada, 'Replay');
    await ada.getByRole('combobox', { name: 'On the decisions of' }).click();
    await ada.getByRole('option', { name: 'the last year' }).click();
    await ada.getByRole('button', { name: 'Replay' }).click();
    await ada.getByText(/decisions looked at/).waitFor();

    await tab(ada, 'Publish');
    await ada.getByLabel(/Some first/).check();
    await ada.getByLabel('Percent of the agents').fill('10');
    await ada.getByRole('button', { name: 'Publish' }).click();
    await ada.getByText('somebody else has to review it').waitFor();
    expect(await ada.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    const edda = await browser().as('edda', '/policies/nodes/publish');
    await edda.getByRole('button', { name: 'Approve' }).click();
    await edda.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await edda.getByRole('heading', { name: 'Revision 1' }).getByText('staged').waitFor();

    await ada.getByRole('button', { name: 'Halt', exact: true }).click();
    const halting = ada.getByRole('dialog');
    await halting.getByLabel('Reason').fill('too many denials at payments');
    await halting.getByRole('button', { name: 'Halt' }).click();
    await ada.getByText('Revision 1: halted').waitFor();

    await fourEyes(browser(), false);
    await tab(ada, 'History');
    await ada.getByText('halted', { exact: true }).first().click();
    await ada.getByRole('button', { name: 'Roll back to this revision' }).click();
    const back = ada.getByRole('dialog', { name: 'Back to revision 1' });
    await back.getByLabel('Why').fill('it was right after all');
    await back.getByRole('button', { name: 'Roll back' }).click();
    await ada.getByText('Revision 2 is in force').waitFor();
  });

  it('that two people edit at once keeps both edits', async () => {
    await browser().call('ada', 'POST', '/v1/policies', { text: drainPolicy('shared', 'deny') });
    const [ada, edda] = [
      await browser().as('ada', '/policies/shared'),
      await browser().as('edda', '/policies/shared'),
    ];
    await Promise.all([ada, edda].map((page) => editor(page).waitFor()));
    const text = drainPolicy('shared', 'deny');
    await write(edda, text.replace('drain is denied', 'a drain is denied'));
    await save(edda);
    await write(ada, text.replace('by the pipeline', 'by the pipeline alone'));
    await ada.getByRole('button', { name: 'Save the draft' }).click();
    await ada.getByText('Their change and yours are merged').waitFor();
    await save(ada);
    const { text: saved } = (await browser().call('ada', 'GET', '/v1/policies/shared/draft')) as {
      text: string;
    };
    expect(saved).toContain('a drain is denied');
    expect(saved).toContain('by the pipeline alone');

    // The same line: nothing is saved before somebody has chosen.
    await edda.reload();
    await editor(edda).waitFor();
    await write(edda, saved.replace('kubectl, drain', 'kubectl, cordon'));
    await save(edda);
    await write(ada, saved.replace('kubectl, drain', 'kubectl, delete'));
    await ada.getByRole('button', { name: 'Save the draft' }).click();
    const conflict = ada.getByRole('dialog', { name: 'Two edits of the same lines' });
    await conflict.getByText('Mine', { exact: true }).click();
    await conflict.getByRole('button', { name: 'Merge, and go on editing' }).click();
    await save(ada);
    const { text: settled } = (await browser().call('ada', 'GET', '/v1/policies/shared/draft')) as {
      text: string;
    };
    expect(settled).toContain('kubectl, delete');
  });

  it('is a form for those who do not write YAML, and what they type survives a reload', async () => {
    await browser().call('ada', 'POST', '/v1/policies', { text: drainPolicy('formed', 'deny') });
    const ada = await browser().as('ada', '/policies/formed');
    await ada.getByText('Form', { exact: true }).click();
    await ada.getByRole('button', { name: /no-drain/ }).click();
    await ada.getByLabel('Because').fill('ask the platform team');
    await ada.getByText('Not saved yet').waitFor();
    await ada.reload();
    await ada.getByText('Not saved yet').waitFor();
    await save(ada);
    const { text } = (await browser().call('ada', 'GET', '/v1/policies/formed/draft')) as { text: string };
    expect(text).toContain('because: ask the platform team');
  });

  it('that is wrong in several places is told so of each, where it stands', async () => {
    await browser().call('ada', 'POST', '/v1/policies', { text: drainPolicy('wrong', 'deny') });
    const ada = await browser().as('ada', '/policies/wrong');
    const text = drainPolicy('wrong', 'deny');
    await write(
      ada,
      text
        .replace('effect: deny', 'effect: denny')
        .replace('because:', 'becuase:')
        .replace('argv: [kubectl', 'argv: [{}'),
    );
    const checks = ada.getByRole('complementary', { name: 'Checks' });
    await checks.getByRole('heading', { name: 'Problems (4)' }).waitFor();
    const words = await checks.innerText();
    for (const known of [
      /line 5\s+\/rules\/0 lacks because/,
      /line 6\s+\/rules\/0\/effect has a value that is not known/,
      /line 8\s+\/rules\/0\/when\/command\/argv\/0/,
      /line 9\s+\/rules\/0\/becuase is an unknown key/,
    ])
      expect(words).toMatch(known);
    await ada.locator('.cm-lintRange-error').nth(2).waitFor();
    await browser().picture(ada, 'policy-problems');
  });

  it('that holds a script shows it as text', async () => {
    const text = drainPolicy('hostile', 'deny').replace(
      'Nodes are drained by the pipeline',
      '"<img src=x onerror=alert(1)><script>alert(2)</script>"',
    );
    await browser().call('ada', 'POST', '/v1/policies', { text });
    const ada = await browser().as('ada', '/policies/hostile/what-if');
    await ada.getByRole('button', { name: 'Ask' }).click();
    await ada.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await ada.locator('img').count()).toBe(0);
  });
});

function editor(page: Page) {
  return page.locator('.cm-content');
}

async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  // As one paste: typed, the editor would close brackets and indent by itself.
  await page.keyboard.insertText(text);
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByText('Draft, saved.').waitFor();
}

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
}

async function fourEyes(browser: ConsoleBrowser, on: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${browser.stack.tokens['ada'] ?? ''}` };
  const url = `${browser.stack.url}/v1/settings`;
  const before = await fetch(url, { headers });
  const settings = { ...((await before.json()) as object), fourEyes: on };
  const changed = await fetch(url, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': before.headers.get('etag') ?? '' },
    body: JSON.stringify(settings),
  });
  expect(changed.status).toBe(200);
}
