import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { stack, type Stack } from './stack.spec-support.js';

export type Person = 'ada' | 'mira' | 'edda' | 'dana' | 'otto';
export type Scheme = 'light' | 'dark';

jest.setTimeout(180_000);
/** A busy machine: long for a failure, no matter for a success. */
const PATIENCE_MS = 45_000;

const running = stack();
/** The end-to-end tests, or nothing where there is no browser: that was said at the start. */
export const describeInBrowser = running === null ? describe.skip : describe;

/** A browser that people use. Whatever a page throws, logs as an error or is refused by the policy is kept, and fails the spec. */
export class ConsoleBrowser {
  readonly #faults: string[] = [];
  readonly #contexts: BrowserContext[] = [];

  private constructor(
    private readonly browser: Browser,
    readonly stack: Stack,
  ) {}

  /** `at`: another API than the one that all share. */
  static async connect(at: Partial<Stack> = {}): Promise<ConsoleBrowser> {
    if (running === null) throw new Error('there is no browser');
    return new ConsoleBrowser(await chromium.connect(running.browser), { ...running, ...at });
  }

  get url(): string {
    return `${this.stack.url}/console`;
  }

  /** A window in which nobody is signed in. */
  async open(where = '/', options: { scheme?: Scheme; width?: number; height?: number } = {}): Promise<Page> {
    const { scheme = 'light', width = 1280, height = 860 } = options;
    const context = await this.browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    this.#contexts.push(context);
    const page = await context.newPage();
    this.#watch(page);
    await page.goto(this.url + where);
    return page;
  }

  /** A window in which this person has signed in. */
  async as(
    person: Person,
    where = '/',
    options: { scheme?: Scheme; width?: number; height?: number } = {},
  ): Promise<Page> {
    const page = await this.open('/sign-in', options);
    const answer = await page.request.post(`${this.stack.url}/v1/session`, {
      headers: { origin: this.stack.url },
      data: { token: this.stack.tokens[person] },
    });
    if (!answer.ok()) throw new Error(`${person} could not sign in: ${await answer.text()}`);
    await page.goto(this.url + where);
    return page;
  }

  /** The API as a program of this person uses it. */
  async call(
    person: Person,
    method: string,
    route: string,
    body?: unknown,
    token?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    const response = await fetch(this.stack.url + route, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${token ?? this.stack.tokens[person] ?? ''}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  }

  /** For whoever wants to look: `dist-screenshots/<name>.png`. */
  async picture(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: path.join(this.stack.screenshots, `${name}.png`) });
  }

  /** What went wrong in the pages since the last time; some is meant to. */
  faults(): readonly string[] {
    return this.#faults.splice(0);
  }

  async closeWindows(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  async disconnect(): Promise<void> {
    await this.closeWindows();
    await this.browser.close();
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.#faults.push(`threw ${error.message}`));
    page.on('console', (message) => {
      // An answer that is an error is logged by the browser as well; what the page makes of it is what counts.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.#faults.push(`logged ${message.text()}`);
    });
  }
}

/**
 * One browser for the tests of a file, and no fault in any page of it. `at`: another API than the one that all share. `windows`:
 * whether they are closed after each test, or kept for the next.
 */
export function useBrowser(
  at: () => Partial<Stack> = () => ({}),
  windows: 'closed' | 'kept' = 'closed',
): () => ConsoleBrowser {
  let browser: ConsoleBrowser | null = null;
  beforeAll(async () => {
    browser = await ConsoleBrowser.connect(at());
  });
  afterEach(async () => {
    const faults = browser?.faults() ?? [];
    if (windows === 'closed') await browser?.closeWindows();
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.disconnect();
  });
  return () => {
    if (browser === null) throw new Error('the browser is not there yet');
    return browser;
  };
}
