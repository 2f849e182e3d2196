import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describeInBrowser, type Person, type Scheme, useBrowser } from './console-browser.spec-support.js';
import { aStagedPolicy } from './policies.spec-support.js';
import {
  backgroundTask,
  exceptionRequest,
  factsOf,
  heartbeat,
  letTasksRun,
  request,
} from './requests.spec-support.js';

// Every page in both schemes, wide and at 360 px: nothing serious for those who do not see it, nothing beyond the edge of the
// screen, and a picture of each for whoever wants to look.

interface Shown {
  readonly name: string;
  readonly as: Person | null;
  readonly at: string | (() => Promise<string>);
  /** It is there when this is. */
  readonly ready: (page: Page) => Promise<unknown>;
}

const SCHEMES = ['light', 'dark'] as const satisfies readonly Scheme[];
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 360, height: 740 };

const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { name, exact: true }).first().waitFor();

describeInBrowser('every page', () => {
  // A window a person: signing in and loading the console anew for each page would be most of the time.
  const browser = useBrowser(() => ({}), 'kept');
  const windows = new Map<Person | null, Page>();
  async function windowOf(person: Person | null, where: string): Promise<Page> {
    const known = windows.get(person);
    const page = known ?? (person === null ? await browser().open(where) : await browser().as(person, where));
    windows.set(person, page);
    if (known !== undefined) {
      await known.setViewportSize(WIDE);
      await known.goto(browser().url + where);
    }
    return page;
  }

  const COMMAND =
    "kubectl get pods -n pay | grep -v Running | awk '{print $1}' | xargs kubectl delete pod -n pay";
  let approval: string | null = null;
  const anApproval = async (): Promise<string> => {
    approval ??= await request(browser(), {
      command: COMMAND,
      because: 'Deleting pods of production needs a person of the platform team',
      facts: factsOf(COMMAND, [
        {
          claimed: '.env',
          real: '/home/dana/pay/.env',
          access: 'read',
          inside: true,
          exists: true,
          credential: 'dotenv file',
        },
      ]),
      count: 2,
    });
    return `/approvals/${approval}`;
  };

  const aDenial = async (): Promise<string> => {
    const { items } = (await browser().call(
      'mira',
      'GET',
      '/v1/audit/records?rule=no-prod-kube&limit=1',
    )) as {
      items: { seq: number }[];
    };
    return `/audit/${items[0]?.seq ?? 0}`;
  };

  let policy: Promise<string> | null = null;
  const aPolicy = (): Promise<string> => {
    policy ??= aStagedPolicy(browser());
    return policy;
  };

  const exceptionOf = async (): Promise<void> => {
    await aPolicy();
    await exceptionRequest(browser(), {
      ...{ document: 'platform-guard', rule: 'no-drain', command: 'kubectl drain n7' },
      reason: 'Incident 12: the node burns, and the pipeline waits for it',
    });
  };
  let exception: Promise<void> | null = null;
  const anException = (): Promise<void> => {
    exception ??= exceptionOf();
    return exception;
  };

  const aMachine = async (): Promise<string> => {
    const { userCode } = (await browser().call('dana', 'POST', '/v1/enrolments', {
      client: { name: 'wstack', version: '0.1.0', platform: 'linux-x64', host: 'danas-laptop' },
      refreshHash: `sha256:${'0'.repeat(64)}`,
    })) as { readonly userCode: string };
    return `/enrol?code=${userCode}`;
  };

  const PAGES: readonly Shown[] = [
    { name: 'sign-in', as: null, at: '/', ready: (page) => page.getByLabel('Access token').waitFor() },
    {
      name: 'overview',
      as: 'ada',
      at: async () => {
        await heartbeat(browser(), 'stale');
        return '/';
      },
      ready: (page) => page.locator('.recharts-bar').last().waitFor(),
    },
    { name: 'approvals', as: 'mira', at: '/approvals', ready: heading('Approvals') },
    {
      name: 'approval',
      as: 'mira',
      at: anApproval,
      ready: (page) => page.getByRole('region', { name: 'The command' }).waitFor(),
    },
    {
      name: 'fleet',
      as: 'ada',
      at: async () => {
        await heartbeat(browser(), 'fresh');
        return '/fleet';
      },
      ready: (page) => page.getByRole('grid').waitFor(),
    },
    { name: 'audit', as: 'mira', at: '/audit', ready: (page) => page.getByRole('grid').waitFor() },
    {
      name: 'audit-record',
      as: 'mira',
      at: aDenial,
      ready: (page) => page.getByText('What demanded something').waitFor(),
    },
    { name: 'policies', as: 'ada', at: '/policies', ready: heading('Policies') },
    { name: 'policy', as: 'ada', at: aPolicy, ready: (page) => page.locator('.cm-content').waitFor() },
    {
      name: 'policy-form',
      as: 'ada',
      at: async () => `${await aPolicy()}/draft`,
      ready: async (page) => {
        await page.getByText('Form', { exact: true }).click();
        await page.getByRole('button', { name: /no-drain/ }).click();
      },
    },
    {
      name: 'policy-what-if',
      as: 'ada',
      at: async () => `${await aPolicy()}/what-if`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Ask' }).click();
        await page.getByRole('heading', { name: /The verdict/ }).waitFor();
      },
    },
    {
      name: 'policy-replay',
      as: 'ada',
      at: async () => `${await aPolicy()}/replay`,
      ready: (page) => page.getByText('Nothing was replayed yet').waitFor(),
    },
    {
      name: 'policy-publish',
      as: 'ada',
      at: async () => `${await aPolicy()}/publish`,
      ready: (page) => page.getByRole('heading', { name: 'Revision 1' }).waitFor(),
    },
    {
      name: 'policy-history',
      as: 'ada',
      at: async () => `${await aPolicy()}/history`,
      ready: (page) => page.getByRole('grid').waitFor(),
    },
    {
      name: 'policy-shadow',
      as: 'ada',
      at: async () => `${await aPolicy()}/shadow`,
      ready: (page) => page.getByText('No rule in shadow mode has matched').waitFor(),
    },
    {
      name: 'policy-comments',
      as: 'ada',
      at: async () => `${await aPolicy()}/comments`,
      ready: (page) => page.getByLabel('Say something about it').waitFor(),
    },
    {
      name: 'exceptions',
      as: 'ada',
      at: async () => {
        await anException();
        return '/exceptions';
      },
      ready: (page) => page.getByRole('row', { name: /kubectl drain n7/ }).waitFor(),
    },
    {
      name: 'exception',
      as: 'ada',
      at: async () => {
        await anException();
        return '/exceptions';
      },
      ready: async (page) => {
        await page.getByRole('row', { name: /kubectl drain n7/ }).click();
        await page.getByRole('button', { name: 'Grant' }).waitFor();
      },
    },
    { name: 'enrol-code', as: 'dana', at: '/enrol', ready: heading('Let a machine in') },
    {
      name: 'enrol',
      as: 'dana',
      at: aMachine,
      ready: (page) => page.getByRole('button', { name: 'Let it in' }).waitFor(),
    },
    {
      name: 'usage',
      as: 'ada',
      at: '/overview/usage?hours=168&model=sonnet-4-5',
      ready: (page) => page.locator('.recharts-bar').last().waitFor(),
    },
    {
      name: 'tasks',
      as: 'ada',
      at: async () => {
        await letTasksRun(browser());
        await backgroundTask(browser(), 'echo begun; for i in $(seq 1 200); do echo line $i; sleep 1; done');
        await backgroundTask(browser(), 'echo over');
        return '/tasks';
      },
      ready: (page) => page.getByRole('row', { name: /completed/ }).waitFor(),
    },
    {
      name: 'task',
      as: 'ada',
      at: '/tasks',
      ready: async (page) => {
        await page.getByRole('row', { name: /running/ }).click();
        await page.getByText('line 1').first().waitFor();
      },
    },
    {
      name: 'roles',
      as: 'ada',
      at: '/identities/roles',
      ready: (page) => page.getByRole('heading', { name: /^auditor/ }).waitFor(),
    },
    {
      name: 'tokens',
      as: 'ada',
      at: '/identities/tokens',
      ready: (page) => page.getByRole('grid').waitFor(),
    },
    {
      name: 'people',
      as: 'ada',
      at: '/identities/people',
      ready: (page) => page.getByRole('grid').waitFor(),
    },
    {
      name: 'agents',
      as: 'ada',
      at: '/identities/agents',
      ready: (page) => page.getByRole('tab', { name: 'Agents' }).waitFor(),
    },
    {
      name: 'groups',
      as: 'ada',
      at: '/identities/groups',
      ready: (page) => page.getByRole('button', { name: 'Add a group' }).waitFor(),
    },
    {
      name: 'settings',
      as: 'ada',
      at: '/identities/settings',
      ready: (page) => page.getByLabel(/Four eyes/).waitFor(),
    },
    { name: 'nothing-there', as: 'ada', at: '/nothing/there', ready: heading('No such page') },
    { name: 'not-allowed', as: 'otto', at: '/fleet', ready: heading('Not for your roles') },
  ];

  it.each(PAGES)('$name', async ({ name, as, at, ready }) => {
    const where = typeof at === 'string' ? at : await at();
    const page = await windowOf(as, where);
    await ready(page);
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      await settled(page);
      await browser().picture(page, `${name}-${scheme}`);
      expect(await seriousFindings(page, scheme)).toEqual([]);
    }
    await page.setViewportSize(NARROW);
    await settled(page);
    await browser().picture(page, `${name}-narrow`);
    expect(await beyondTheEdge(page)).toEqual([]);
  });
});

/** Nothing is being loaded, and nothing moves. */
async function settled(page: Page): Promise<void> {
  await page
    .waitForFunction(() =>
      // What is folded away is not drawn, and so its transitions do not move until it is unfolded.
      document
        .getAnimations()
        .every(
          ({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility() === false,
        ),
    )
    .catch(async (error: unknown) => {
      const moving = await page.evaluate(() =>
        document
          .getAnimations()
          .map(({ effect }) =>
            effect instanceof KeyframeEffect
              ? (effect.target?.parentElement?.outerHTML.slice(0, 300) ?? '')
              : '',
          ),
      );
      throw new Error(`the page never came to rest: ${moving.join('\n')}`, { cause: error });
    });
  await page.getByText(/^Loading /).waitFor({ state: 'detached' });
}

/** Of all rules in the first scheme; another changes colours alone. */
async function seriousFindings(page: Page, scheme: Scheme): Promise<readonly string[]> {
  // Legacy: without a second window for frames, of which there are none here.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    resultTypes: ['violations'],
    ...(scheme === SCHEMES[0] ? {} : { runOnly: ['color-contrast'] }),
  });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
}

/** What would make the whole page scroll sideways. */
async function beyondTheEdge(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('main *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return [`${scrollWidth} of ${clientWidth}`, ...wide.map((element) => element.outerHTML.slice(0, 120))];
  });
}
