import { deepFreeze } from '@wrongstack/contracts';
import { codeOfRejection, textOf, toolOptions } from '../test-context.spec-support.js';
import { createTestProject, type TestProject } from '../test-context.spec-support.js';
import {
  page,
  permitLoopback,
  redirect,
  startServer,
  type LoopbackServer,
} from './loopback-server.spec-support.js';
import { createSearchTool, type SearchInput } from './search.tool.js';
import type { SearchFormat } from './search-engines.js';

const json = (value: unknown) => page(JSON.stringify(value), { 'content-type': 'application/json' });

describe('search', () => {
  let project: TestProject;
  let server: LoopbackServer;
  beforeAll(async () => {
    project = await createTestProject();
    server = await startServer({
      '/searxng': json({
        results: [
          { title: 'A <b>title</b>', url: 'https://a.test/', content: 'Some   text &amp; more' },
          { title: 'no address', url: 'javascript:x' },
          'odd',
          { title: '', url: 'https://b.test/?token=abc', content: 7 },
          { title: 'third', url: 'https://c.test/' },
        ],
      }),
      '/brave': json({ web: { results: [{ title: 'T', url: 'https://a.test/', description: 'D' }] } }),
      '/nothing': json({ results: [] }),
      '/odd': json({ error: 'x' }),
      '/html': page('<p>login</p>'),
      '/moved': redirect('https://elsewhere.test/'),
    });
  });
  afterAll(async () => {
    await server.close();
    await project.dispose();
  });

  const toolAt = (path: string, format: SearchFormat = 'searxng', credential?: string) =>
    createSearchTool({
      endpoint: {
        url: `${server.origin}${path}`,
        format,
        ...(credential === undefined ? {} : { credential }),
      },
      guard: { permitAddress: permitLoopback },
    });
  const run = (path: string, input: SearchInput = { query: 'x' }) =>
    toolAt(path).execute(input, project.ctx, toolOptions());

  it('lists hits of a SearXNG service, one line each part, and drops odd ones', async () => {
    const output = await run('/searxng', { query: 'a & b', limit: 2 });
    expect(textOf(output)).toBe(
      '1. A title\n   https://a.test/\n   Some text & more\n2. https://b.test/?token=abc\n   https://b.test/?token=***',
    );
    expect(output.meta).toEqual({ hits: 2 });
    expect(server.requests.at(-1)?.url).toBe('/searxng?q=a+%26+b&format=json');
  });

  it('sends the credential that it declares, and that one alone, to a Brave service', async () => {
    const tool = toolAt('/brave', 'brave', 'brave-search');
    expect(tool.credentials).toEqual(['brave-search']);
    const options = toolOptions({ credentials: { 'brave-search': 'k-123', other: 'k-456' } });
    expect(textOf(await tool.execute({ query: 'x', limit: 3 }, project.ctx, options))).toBe(
      '1. T\n   https://a.test/\n   D',
    );
    expect(server.requests.at(-1)?.url).toBe('/brave?q=x&count=3');
    expect(server.requests.at(-1)?.headers['x-subscription-token']).toBe('k-123');
    expect(JSON.stringify(server.requests.at(-1)?.headers)).not.toContain('k-456');
  });

  it('says that there are no hits', async () => {
    expect(textOf(await run('/nothing'))).toBe('[no hits]');
  });

  it.each(['/odd', '/html', '/moved', '/none'])('says what is wrong with the service at %s', async (path) => {
    expect(await codeOfRejection(run(path))).toBe('search.failed');
  });

  it('says what to set when nothing is set', async () => {
    const tool = createSearchTool();
    expect(tool.credentials).toBeUndefined();
    await expect(tool.execute({ query: 'x' }, project.ctx, toolOptions())).rejects.toThrow(
      'no search service is set: name a SearXNG or Brave endpoint in net.search ({ url, format, credential })',
    );
  });

  it('goes through the guard', async () => {
    const tool = createSearchTool({ endpoint: { url: `${server.origin}/searxng`, format: 'searxng' } });
    const before = server.connections();
    expect(await codeOfRejection(tool.execute({ query: 'x' }, project.ctx, toolOptions()))).toBe(
      'net.forbidden_address',
    );
    expect(server.connections()).toBe(before);
  });

  it.each<[string, unknown]>([
    ['no query', {}],
    ['an empty query', { query: '' }],
    ['too many hits', { query: 'x', limit: 21 }],
  ])('refuses %s', async (_what, input) => {
    expect(await codeOfRejection(run('/searxng', input as SearchInput))).toBe('tool.bad_input');
  });

  it('does nothing once aborted', async () => {
    const options = { signal: AbortSignal.abort() };
    await expect(toolAt('/searxng').execute({ query: 'x' }, project.ctx, options)).rejects.toThrow();
  });

  it('claims the service that it will ask, and shows its query', () => {
    const context = { cwd: '/ws', projectRoot: '/ws' };
    const input = deepFreeze({ query: 'x' });
    expect(toolAt('/brave').describeCall?.(input, context)).toMatchObject({
      urls: [`${server.origin}/brave`],
    });
    expect(createSearchTool().describeCall?.(input, context)).toEqual({
      paths: [],
      command: null,
      cwd: '/ws',
      urls: [],
    });
    expect(createSearchTool().presentCall?.(input)).toEqual({ card: 'generic', kind: 'search', title: 'x' });
    const content = [{ type: 'text' as const, text: 'out' }];
    expect(
      createSearchTool().presentResult?.(input, deepFreeze({ content, isError: false, meta: { hits: 2 } })),
    ).toEqual({
      card: 'generic',
      title: 'x · 2 hits',
      content,
    });
  });
});
