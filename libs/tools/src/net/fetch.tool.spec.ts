import { deepFreeze, type ToolStreamEvent } from '@wrongstack/contracts';
import { Ajv } from 'ajv';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createFetchTool, type FetchInput } from './fetch.tool.js';
import {
  page,
  permitLoopback,
  redirect,
  startServer,
  type LoopbackServer,
  type Routes,
} from './loopback-server.spec-support.js';

const tool = createFetchTool({ guard: { permitAddress: permitLoopback } });
const html = { 'content-type': 'text/html; charset=utf-8' };

describe('fetch', () => {
  let project: TestProject;
  let server: LoopbackServer | undefined;
  beforeAll(async () => {
    project = await createTestProject();
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  afterAll(() => project.dispose());

  const serve = async (routes: Routes): Promise<string> => {
    server = await startServer(routes);
    return server.origin;
  };
  const fetched = (input: FetchInput) => tool.execute(input, project.ctx, toolOptions());

  it('gives a page as text and says nothing more when all is well', async () => {
    const origin = await serve({ '/': page('<title>T</title><h1>Head</h1><p>Body</p>', html) });
    const output = await fetched({ url: `${origin}/?key=abc` });
    expect(output.content).toEqual([{ type: 'text', text: 'T\n\n# Head\n\nBody' }]);
    expect(output.meta).toEqual({
      status: 200,
      url: `${origin}/?key=***`,
      type: 'text/html',
      bytes: 40,
      redirects: 0,
      cut: false,
    });
  });

  it('gives the source on request', async () => {
    const origin = await serve({ '/': page('<p>Body</p>', html) });
    expect(textOf(await fetched({ url: origin, raw: true }))).toBe('<p>Body</p>');
  });

  it('gives JSON as it is', async () => {
    const origin = await serve({ '/': page('{"a": 1}', { 'content-type': 'application/problem+json' }) });
    expect(textOf(await fetched({ url: origin }))).toBe('{"a": 1}');
  });

  it('reports a failing status as a result, with its body', async () => {
    const origin = await serve({});
    const output = await fetched({ url: `${origin}/none` });
    expect(textOf(output)).toBe('[404 Not Found]\nno such page');
    expect(output.isError).toBeUndefined();
  });

  it.each([
    ['the header', Buffer.from([0xe4]), 'text/plain; charset="ISO-8859-1"', 'ä'],
    ['the page itself', Buffer.from('<meta charset=windows-1252>\x80', 'latin1'), 'text/html', '€'],
    ['a byte order mark', Buffer.from('\ufeffhi', 'utf16le'), 'text/plain; charset=utf-8', 'hi'],
    ['nobody', Buffer.from('ä'), 'text/plain', 'ä'],
    ['a name that nobody knows', Buffer.from('ä'), 'text/plain; charset=klingon', 'ä'],
  ])('takes the charset from %s', async (_who, body, type, expected) => {
    const origin = await serve({ '/': page(body, { 'content-type': type }) });
    expect(textOf(await fetched({ url: origin }))).toBe(expected);
  });

  it.each([
    ['by its type', Buffer.from('PNG'), 'image/png', 'binary content (image/png), 3 bytes'],
    ['by its bytes', Buffer.from([1, 0, 2]), 'text/plain', 'binary content (text/plain), 3 bytes'],
    ['without a type', Buffer.from([0xff, 0x80]), '', 'binary content, 2 bytes'],
  ])('says binary %s, with size and digest', async (_how, body, type, expected) => {
    const origin = await serve({ '/': page(body, { 'content-type': type }) });
    expect(textOf(await fetched({ url: origin }))).toMatch(
      new RegExp(`^\\[${expected.replace(/[()]/g, '\\$&')}, sha256 [0-9a-f]{64}\\]$`),
    );
  });

  it('says that there is nothing', async () => {
    const origin = await serve({ '/': page(''), '/page': page('<script>x</script>', html) });
    expect(textOf(await fetched({ url: origin }))).toBe('[the body is empty]');
    expect(textOf(await fetched({ url: `${origin}/page` }))).toBe(
      '[the page has no text; raw shows its source]',
    );
  });

  it('pages through a long text, never cutting a character in two', async () => {
    const origin = await serve({ '/': page('abc😀defg') });
    expect(textOf(await fetched({ url: origin, limit: 4 }))).toBe(
      'abc\n[characters 0-3 of 9; go on with offset 3]',
    );
    expect(textOf(await fetched({ url: origin, offset: 3, limit: 4 }))).toBe(
      '😀de\n[characters 3-7 of 9; go on with offset 7]',
    );
    expect(textOf(await fetched({ url: origin, offset: 7 }))).toBe('fg\n[characters 7-9 of 9]');
    expect(textOf(await fetched({ url: origin, offset: 20 }))).toBe(
      '[nothing at offset 20: the text has 9 characters]',
    );
  });

  it('reads no more than its bound of a body without end', async () => {
    const origin = await serve({
      '/': (_request, response) => {
        const chunk = Buffer.alloc(256 * 1024, 'x');
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    });
    const output = await fetched({ url: origin, limit: 10 });
    expect(textOf(output)).toBe(
      'xxxxxxxxxx\n[characters 0-10 of 8388608; go on with offset 10; only the first 8388608 bytes were read; more follow]',
    );
    expect(output.meta).toMatchObject({ cut: true, bytes: 8_388_608 });
  });

  it('shows headers alone for HEAD', async () => {
    const origin = await serve({ '/': page('hello', { 'content-length': '5', 'content-encoding': 'gzip' }) });
    expect(textOf(await fetched({ url: origin, method: 'HEAD' }))).toBe('[200 OK; text/plain; 5 bytes]');
    expect(server?.requests[0]?.method).toBe('HEAD');
  });

  it('follows a redirect on the same origin and says where it ended', async () => {
    const origin = await serve({ '/a': redirect('/b'), '/b': page('there') });
    expect(textOf(await fetched({ url: `${origin}/a` }))).toBe(`[from ${origin}/b]\nthere`);
  });

  it('does not go to another origin, for which nothing was decided', async () => {
    const origin = await serve({ '/a': redirect('https://other.test/x?token=abc') });
    const output = await fetched({ url: `${origin}/a` });
    expect(textOf(output)).toBe(
      '[302 redirects to https://other.test/x?token=***, another origin, which was not fetched: call fetch with that URL if it is wanted]',
    );
  });

  it('refuses this machine and metadata without the permission of a test', async () => {
    const origin = await serve({ '/': page('secret') });
    const plain = createFetchTool();
    for (const url of [origin, 'http://169.254.169.254/latest/', `http://[::1]:${server?.port ?? 0}/`]) {
      expect(await codeOfRejection(plain.execute({ url }, project.ctx, toolOptions()))).toBe(
        'net.forbidden_address',
      );
    }
    expect(server?.connections()).toBe(0);
  });

  it('streams what it does, masked, and one final event, last', async () => {
    const origin = await serve({ '/a': redirect('/b?sig=abc'), '/b': page('x'.repeat(600_000)) });
    const events: ToolStreamEvent[] = [];
    for await (const event of tool.executeStream?.(
      { url: `${origin}/a?key=abc`, limit: 1 },
      project.ctx,
      toolOptions(),
    ) ?? []) {
      events.push(event);
    }
    expect(events.filter((event) => event.type === 'log')).toEqual([
      { type: 'log', text: `GET ${origin}/a?key=***` },
      { type: 'log', text: `redirected to ${origin}/b?sig=***` },
    ]);
    expect(events.at(-2)).toEqual({ type: 'metric', data: { bytes: 600_000, status: 200 } });
    expect(events.map((event) => event.type).lastIndexOf('final')).toBe(events.length - 1);
    expect(events.filter((event) => event.type === 'final')).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain('abc');
  });

  it('stops when the call is aborted', async () => {
    const origin = await serve({ '/': (_request, response) => void response.write('start') });
    const controller = new AbortController();
    const work = codeOfRejection(
      tool.execute({ url: origin }, project.ctx, toolOptions({ signal: controller.signal })),
    );
    while (server?.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await work).toBe('tool.aborted');
  });

  it.each<[string, unknown]>([
    ['no input', null],
    ['no url', {}],
    ['an empty url', { url: '' }],
    ['a url of another type', { url: 7 }],
    ['a method that changes things', { url: 'http://h/', method: 'POST' }],
    ['a negative offset', { url: 'http://h/', offset: -1 }],
    ['too large a limit', { url: 'http://h/', limit: 1e9 }],
    ['raw that is no flag', { url: 'http://h/', raw: 'yes' }],
  ])('refuses %s, by the schema and by itself', async (_what, input) => {
    const validate = new Ajv({ strict: true }).compile(tool.inputSchema);
    expect(validate(input)).toBe(false);
    expect(await codeOfRejection(tool.execute(input as FetchInput, project.ctx, toolOptions()))).toBe(
      'tool.bad_input',
    );
  });

  it('declares what it is and claims the URL as it was written', () => {
    expect(tool).toMatchObject({
      name: 'fetch',
      permission: 'confirm',
      mutating: false,
      riskTier: 'standard',
      capabilities: ['net.outbound'],
    });
    const input = deepFreeze({ url: 'https://h.test/?key=abc' });
    expect(tool.describeCall?.(input, { cwd: '/ws', projectRoot: '/ws' })).toEqual({
      paths: [],
      command: null,
      cwd: '/ws',
      urls: ['https://h.test/?key=abc'],
    });
  });

  it('shows cards without keys', () => {
    const input = deepFreeze({ url: 'https://h.test/?key=abc' });
    const content = [{ type: 'text' as const, text: 'out' }];
    const meta = {
      status: 200,
      url: 'https://h.test/?key=***',
      type: 'text/html',
      bytes: 3,
      redirects: 0,
      cut: false,
    };
    expect(tool.presentCall?.(input)).toEqual({
      card: 'generic',
      kind: 'fetch',
      title: 'https://h.test/?key=***',
    });
    expect(tool.presentResult?.(input, deepFreeze({ content, isError: false, meta }))).toEqual({
      card: 'generic',
      title: 'https://h.test/?key=*** · 200 · 3 bytes',
      content,
    });
  });
});
