import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { codeOfRejection } from '../test-context.spec-support.js';
import { dial } from './dial.js';
import { guardedFetch, type GuardedRequest, type NetworkGuard } from './guarded-fetch.js';
import {
  page,
  permitLoopback,
  redirect,
  startServer,
  type LoopbackServer,
  type Routes,
} from './loopback-server.spec-support.js';
import { readTarget } from './request-target.js';

const signal = new AbortController().signal;
const open: NetworkGuard = { permitAddress: permitLoopback };

describe('guardedFetch', () => {
  const servers: LoopbackServer[] = [];
  const serve = async (routes: Routes): Promise<LoopbackServer> => {
    const server = await startServer(routes);
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  const get = (url: string, request: Partial<GuardedRequest> = {}, guard: NetworkGuard = open) =>
    guardedFetch(url, { signal, timeoutMs: 5_000, ...request }, guard);
  const refused = (url: string, request: Partial<GuardedRequest> = {}, guard: NetworkGuard = {}) =>
    codeOfRejection(get(url, request, guard).then((response) => response.text()));
  const messageOf = async (url: string, guard: NetworkGuard = {}): Promise<string> =>
    get(url, {}, guard).then(
      () => 'no refusal',
      (error: unknown) => (error as Error).message,
    );

  describe('before anything is opened', () => {
    it.each([
      ['a scheme that is not http', 'gopher://h/', 'net.bad_scheme'],
      ['a web socket', 'ws://h/', 'net.bad_scheme'],
      ['a file', 'file:///etc/passwd', 'net.bad_scheme'],
      ['data', 'data:text/plain,x', 'net.bad_scheme'],
      ['a blank inside of the host', 'http://exa mple/', 'net.bad_url'],
      ['a newline that a parser would drop', 'http://h/\n', 'net.bad_url'],
      ['a backslash that a parser would turn', 'http:\\\\h\\', 'net.bad_url'],
      ['an empty host', 'http:///', 'net.bad_url'],
      ['no URL', 'example.com', 'net.bad_url'],
      ['port 0', 'http://example.com:0/', 'net.bad_url'],
      ['a port out of range', 'http://example.com:65536/', 'net.bad_url'],
      ['a user part that looks like a host', 'http://docs.python.org@evil.test/', 'net.user_in_url'],
      ['a URL without end', `http://h/${'a'.repeat(9000)}`, 'net.bad_url'],
    ])('refuses %s', async (_what, url, code) => {
      expect(await refused(url)).toBe(code);
    });

    it.each([
      ['decimal', '2130706433'],
      ['hexadecimal', '0x7f000001'],
      ['octal', '0177.0.0.1'],
      ['short', '127.1'],
      ['wide digits', '１２７.0.0.1'],
      ['with a trailing dot', '127.0.0.1.'],
      ['IPv6', '[::1]'],
      ['mapped', '[::ffff:127.0.0.1]'],
      ['by name', 'localhost'],
      ['by name with a dot and in capitals', 'LOCALHOST.'],
      ['by a name below it', 'a.localhost'],
    ])('opens no socket to this machine, written %s', async (_how, host) => {
      const server = await serve({ '/': page('secret') });
      expect(await refused(`http://${host}:${server.port}/`)).toBe('net.forbidden_address');
      expect(server.connections()).toBe(0);
    });

    it.each([
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/latest/meta-data/',
      'http://100.100.100.200/latest/meta-data/',
      'http://metadata.google.internal/computeMetadata/v1/',
      'http://METADATA.google.internal./',
    ])('refuses the metadata service %s and asks no name server', async (url) => {
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return [{ address: '8.8.8.8', family: 4 }];
      };
      const { hostname } = new URL(url);
      expect(await refused(url, {}, { resolve, allowPrivateHosts: [hostname] })).toBe(
        'net.forbidden_address',
      );
      expect(asked).toBe(0);
    });
  });

  describe('names', () => {
    const answers = (...addresses: readonly string[]): NetworkGuard => ({
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    });

    it.each([
      ['a private answer', ['10.0.0.1']],
      ['a public answer beside a private one', ['8.8.8.8', '127.0.0.1']],
      ['a mapped answer', ['::ffff:192.168.0.1']],
      ['an answer that is no address', ['localhost']],
    ])('refuses a host with %s', async (_what, addresses) => {
      expect(await refused('http://r.test/', {}, answers(...addresses))).toBe('net.forbidden_address');
    });

    it('fails closed when there is no answer', async () => {
      const failing = async () => {
        throw Object.assign(new Error('queryA ESERVFAIL bad.test'), { code: 'ESERVFAIL' });
      };
      expect(await messageOf('http://bad.test/?key=abc', { resolve: failing })).toBe(
        'http://bad.test/?key=***: the host bad.test cannot be resolved (ESERVFAIL); check its spelling',
      );
      expect(await refused('http://empty.test/', {}, answers())).toBe('net.unresolved');
    });

    it('names the range of a made-up address and the setting that permits the host', async () => {
      expect(await messageOf('http://site.test/', answers('198.18.0.7'))).toBe(
        'http://site.test/: site.test leads to 198.18.0.7, which is in 198.18.0.0/15 (benchmarking, used by proxies that ' +
          'answer DNS with made-up addresses), not a public address; an administrator can permit the host site.test in net.allowPrivateHosts',
      );
    });

    it('dials what was checked: a second answer is never asked for', async () => {
      const server = await serve({ '/': page('secret') });
      const queue = [['127.0.0.2'], ['127.0.0.1']];
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return (queue.shift() ?? []).map((address) => ({ address, family: 4 }));
      };
      // The first answer stands for a public address, at which nothing listens.
      const code = await refused(
        `http://r.test:${server.port}/`,
        { timeoutMs: 1_000 },
        { resolve, permitAddress: (address) => address === '127.0.0.2' },
      );
      expect(code).toBe('net.unreachable');
      expect(asked).toBe(1);
      expect(server.connections()).toBe(0);
    });

    it('sends nothing over a socket that ended elsewhere than was decided', async () => {
      const received: Buffer[] = [];
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket);
        socket.on('data', (chunk: Buffer) => received.push(chunk));
        socket.on('error', () => undefined);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const rules = { allowPrivateHosts: [] };
      const target = readTarget(`http://r.test:${port}/`, rules);
      const fooled = [{ address: '127.0.0.1', family: 4 }];
      expect(await codeOfRejection(dial(target, fooled, rules, { signal }))).toBe('net.forbidden_address');
      await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('close', done))));
      await new Promise<void>((resolve) => server.close(() => resolve()));
      expect(Buffer.concat(received)).toHaveLength(0);
    });

    it('permits a private host by its exact name, and metadata not even so', async () => {
      const server = await serve({ '/': page('intranet') });
      const guard = (allowPrivateHosts: readonly string[], address: string): NetworkGuard => ({
        ...answers(address),
        allowPrivateHosts,
      });
      const url = `http://wiki.corp.test:${server.port}/`;
      const response = await get(url, {}, guard(['Wiki.Corp.Test'], '127.0.0.1'));
      expect(await response.text()).toBe('intranet');
      expect(
        await refused(url, {}, guard(['corp.test', '*.corp.test', 'xwiki.corp.test'], '127.0.0.1')),
      ).toBe('net.forbidden_address');
      expect(await refused(url, {}, guard(['wiki.corp.test'], '169.254.169.254'))).toBe(
        'net.forbidden_address',
      );
    });

    it('does not go through proxies of the environment', async () => {
      const proxy = await serve({});
      const server = await serve({ '/': page('direct') });
      const before = { ...process.env };
      Object.assign(process.env, {
        HTTP_PROXY: proxy.origin,
        http_proxy: proxy.origin,
        ALL_PROXY: proxy.origin,
        NODE_USE_ENV_PROXY: '1',
      });
      try {
        expect(await (await get(`${server.origin}/`)).text()).toBe('direct');
        expect(await refused(`http://10.0.0.1/`)).toBe('net.forbidden_address');
      } finally {
        process.env = before;
      }
      expect(proxy.connections()).toBe(0);
    });
  });

  describe('redirects', () => {
    it('follows them and tells where it ended', async () => {
      const server = await serve({ '/a': redirect('/b?token=abc'), '/b': page('there') });
      const shown: string[] = [];
      const response = await get(`${server.origin}/a`, { onRedirect: (where) => shown.push(where) });
      expect([response.status, response.url, response.redirects, await response.text()]).toEqual([
        200,
        `${server.origin}/b?token=abc`,
        1,
        'there',
      ]);
      expect(shown).toEqual([`${server.origin}/b?token=***`]);
    });

    it('checks every hop: none reaches a private address', async () => {
      const inner = await serve({ '/': page('secret') });
      const outer = await serve({
        '/literal': redirect(`http://[::ffff:7f00:1]:${inner.port}/`),
        '/name': redirect(`http://inner.test:${inner.port}/`),
        '/scheme': redirect('file:///etc/passwd'),
        '/user': redirect(`http://x@h.test/`),
        '/broken': redirect('http://[broken/'),
      });
      const guard: NetworkGuard = {
        ...open,
        resolve: async () => [{ address: '192.168.0.9', family: 4 }],
      };
      expect(await refused(`${outer.origin}/literal`, {}, guard)).toBe('net.forbidden_address');
      expect(await refused(`${outer.origin}/name`, {}, guard)).toBe('net.forbidden_address');
      expect(await refused(`${outer.origin}/scheme`, {}, guard)).toBe('net.bad_scheme');
      expect(await refused(`${outer.origin}/user`, {}, guard)).toBe('net.user_in_url');
      expect(await refused(`${outer.origin}/broken`, {}, guard)).toBe('net.bad_redirect');
      expect(inner.connections()).toBe(0);
    });

    it('ends loops after five', async () => {
      const server = await serve({ '/loop': redirect('/loop') });
      expect(await refused(`${server.origin}/loop`, {}, open)).toBe('net.too_many_redirects');
      expect(server.requests).toHaveLength(6);
    });

    it('keeps credentials on the same origin and drops them, and every header it does not know, elsewhere', async () => {
      const other = await serve({ '/': page('ok') });
      const server = await serve({
        '/same': redirect('/there'),
        '/there': page('ok'),
        '/away': redirect(`${other.origin}/`),
      });
      const headers = {
        Authorization: 'Bearer abc',
        Cookie: 'a=b',
        'X-Subscription-Token': 'abc',
        Accept: 'text/css',
      };
      await (await get(`${server.origin}/same`, { headers })).text();
      await (await get(`${server.origin}/away`, { headers })).text();
      expect(server.requests[1]?.headers).toMatchObject({
        authorization: 'Bearer abc',
        'x-subscription-token': 'abc',
      });
      expect(Object.keys(other.requests[0]?.headers ?? {}).sort()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
    });

    it.each([
      [303, 'GET', ''],
      [302, 'GET', ''],
      [307, 'POST', 'data'],
    ])('after %i sends %s %j', async (status, method, body) => {
      let received = '';
      const server = await serve({
        '/form': redirect('/done', status),
        '/done': (request, response) => {
          request.on('data', (chunk) => (received += String(chunk)));
          request.on('end', () => response.end('ok'));
        },
      });
      await (await get(`${server.origin}/form`, { method: 'POST', body: 'data' })).text();
      expect([server.requests[1]?.method, received]).toEqual([method, body]);
    });

    it('does not repeat what was sent to another origin', async () => {
      const other = await serve({ '/': page('ok') });
      const server = await serve({ '/form': redirect(`${other.origin}/`, 307) });
      expect(await refused(`${server.origin}/form`, { method: 'POST', body: 'data' }, open)).toBe(
        'net.redirect_refused',
      );
      expect(other.connections()).toBe(0);
    });

    it('hands a redirect back where the caller does not want to follow', async () => {
      const server = await serve({ '/a': redirect('/b') });
      const response = await get(`${server.origin}/a`, { follow: () => false });
      response.body.cancel();
      expect([response.status, response.location]).toEqual([302, `${server.origin}/b`]);
      expect(server.requests).toHaveLength(1);
    });
  });

  describe('bodies', () => {
    const big = Buffer.alloc(64 * 1024 * 1024);

    it.each([
      ['gzip', gzipSync('hello')],
      ['br', brotliCompressSync('hello')],
      ['deflate', deflateSync('hello')],
      ['identity', Buffer.from('hello')],
    ])('inflates %s', async (coding, body) => {
      const server = await serve({ '/': page(body, { 'content-encoding': coding }) });
      expect(await (await get(`${server.origin}/`)).text()).toBe('hello');
    });

    it('counts inflated bytes: a bomb ends at the limit', async () => {
      const server = await serve({ '/': page(gzipSync(big), { 'content-encoding': 'gzip' }) });
      expect(await refused(`${server.origin}/`, { maxBytes: 100_000 }, open)).toBe('net.body_too_large');
      const response = await get(`${server.origin}/`, { maxBytes: 100_000, overflow: 'truncate' });
      expect([(await response.bytes()).length, response.body.truncated]).toEqual([100_000, true]);
    });

    it.each(['gzip, gzip', 'gzip,br', 'gzip, gzip, gzip'])('refuses the chain %s', async (coding) => {
      const server = await serve({ '/': page(gzipSync(gzipSync('x')), { 'content-encoding': coding }) });
      expect(await refused(`${server.origin}/`, {}, open)).toBe('net.encoding_chain');
    });

    it.each([
      ['an unknown coding', page('x', { 'content-encoding': 'zstd' }), 'net.encoding'],
      ['bytes that are not what they say', page('hello', { 'content-encoding': 'gzip' }), 'net.body_broken'],
      [
        'a body that ends early',
        page(gzipSync('hello').subarray(0, 12), { 'content-encoding': 'gzip' }),
        'net.body_broken',
      ],
      ['a body longer than the limit', page('x'.repeat(2_000)), 'net.body_too_large'],
    ])('refuses %s', async (_what, route, code) => {
      const server = await serve({ '/': route });
      expect(await refused(`${server.origin}/`, { maxBytes: 1_000 }, open)).toBe(code);
    });

    it('says that a connection broke in the middle, compressed or not', async () => {
      const server = await serve({
        '/plain': (_request, response) => {
          response.writeHead(200, { 'content-length': '100' });
          response.write('half', () => response.destroy());
        },
        '/gzip': (_request, response) => {
          response.writeHead(200, { 'content-length': '100', 'content-encoding': 'gzip' });
          response.write(gzipSync('half').subarray(0, 12), () => response.destroy());
        },
      });
      expect(await refused(`${server.origin}/plain`, {}, open)).toBe('net.body_broken');
      expect(await refused(`${server.origin}/gzip`, {}, open)).toBe('net.body_broken');
    });

    it('takes an exact fit, an empty body and no body', async () => {
      const server = await serve({
        '/fit': page('x'.repeat(1_000)),
        '/empty': page('', { 'content-encoding': 'gzip' }),
        '/none': (_request, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end(),
      });
      const texts = [];
      for (const path of ['/fit', '/empty', '/none'])
        texts.push(await (await get(server.origin + path, { maxBytes: 1_000 })).text());
      expect(texts).toEqual(['x'.repeat(1_000), '', '']);
    });
  });

  describe('time and aborts', () => {
    const silent: Routes = {
      '/headers': () => undefined,
      '/body': (_request, response) => {
        response.writeHead(200);
        response.write('start');
      },
    };

    it.each(['/headers', '/body'])('one deadline covers %s', async (path) => {
      const server = await serve(silent);
      expect(await refused(server.origin + path, { timeoutMs: 100 }, open)).toBe('net.timeout');
    });

    it.each(['/headers', '/body'])('stops at %s when the caller aborts', async (path) => {
      const server = await serve(silent);
      const controller = new AbortController();
      const work = refused(server.origin + path, { signal: controller.signal }, open);
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort();
      expect(await work).toBe('tool.aborted');
    });

    it('does nothing once aborted', async () => {
      const server = await serve({ '/': page('x') });
      expect(await refused(`${server.origin}/`, { signal: AbortSignal.abort() }, open)).toBe('tool.aborted');
      expect(server.connections()).toBe(0);
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        throw new Error('nobody listens to this failure');
      };
      expect(await refused('http://h.test/', { signal: AbortSignal.abort() }, { resolve })).toBe(
        'tool.aborted',
      );
      expect(asked).toBe(0);
    });

    it('does not wait for a name server that never answers', async () => {
      const never = () => new Promise<never>(() => undefined);
      expect(await refused('http://slow.test/', { timeoutMs: 50 }, { resolve: never })).toBe('net.timeout');
    });
  });

  it.each([
    'Host',
    'Content-Length',
    'Transfer-Encoding',
    'Proxy-Authorization',
    'X-Forwarded-For',
    'a b',
    'x:y',
  ])('refuses the header %j from callers', async (name) => {
    expect(await refused('http://h.test/', { headers: { [name]: 'x' } })).toBe('net.bad_header');
  });

  it('refuses header values that would begin another header', async () => {
    expect(await refused('http://h.test/', { headers: { 'x-a': 'b\r\nhost: c' } })).toBe('net.bad_header');
  });

  it('masks keys in every message', async () => {
    const key = 'AIzaSyA-0123456789abcdefghijklmnopqrstu';
    const failing = Object.assign(new Error('failed'), { code: 'ENOTFOUND' });
    const messages = await Promise.all([
      messageOf(`http://127.0.0.1:1/v1?key=${key}`),
      messageOf(`http://127.0.0.1:1/v1?key=${key}`, open),
      messageOf(`http://h.test/?token=${key}`, { resolve: async () => Promise.reject(failing) }),
      messageOf(`ftp://h/?key=${key}`),
      messageOf(`http://${key}@h/`),
      messageOf(`http://h h/?key=${key}`),
    ]);
    expect(messages.filter((message) => message.includes(key))).toEqual([]);
    expect(messages[0]).toBe(
      'http://127.0.0.1:1/v1?key=***: 127.0.0.1 is in 127.0.0.0/8 (loopback), not a public address; ' +
        'an administrator can permit the host 127.0.0.1 in net.allowPrivateHosts',
    );
    expect(messages[1]).toBe(
      'http://127.0.0.1:1/v1?key=***: no connection to 127.0.0.1:1: nothing listens there (ECONNREFUSED)',
    );
  });

  it('calls an answer that is no HTTP by its name', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.end('SSH-2.0-OpenSSH\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const codes = [
      await refused(`http://127.0.0.1:${port}/`, {}, open),
      await refused(`https://127.0.0.1:${port}/`, {}, open),
    ];
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(codes).toEqual(['net.bad_answer', 'net.unreachable']);
  });
});
