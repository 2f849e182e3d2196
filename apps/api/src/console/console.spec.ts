import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { TestApi } from '../test-api.spec-support.js';
import { acceptedEncodings } from './accepted-encodings.js';

jest.setTimeout(30_000);

const SCRIPT = 'console.log("the console")';
const PAGE = `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script type="module" src="/console/assets/index-4f3a.js"></script>`;

describe('the console', () => {
  let api: TestApi;
  let dist: string;
  beforeAll(async () => {
    api = await TestApi.start();
    dist = path.join(api.folder, 'console');
  });
  afterAll(() => api.stop());

  const get = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ method: 'GET', url, headers });

  it('says what to do while it was not built', async () => {
    const { statusCode, body } = await get('/console');
    expect([statusCode, JSON.parse(body)]).toMatchObject([503, { code: 'console.not_built' }]);
    expect(body).toContain('npm run build');
  });

  describe('once it is built', () => {
    beforeAll(() => {
      mkdirSync(path.join(dist, 'assets'), { recursive: true });
      writeFileSync(path.join(dist, 'index.html'), PAGE);
      writeFileSync(path.join(dist, 'icon.svg'), '<svg/>');
      writeFileSync(path.join(dist, '.env.json'), '{}');
      writeFileSync(path.join(dist, 'assets/index-4f3a.js'), SCRIPT);
      writeFileSync(path.join(dist, 'assets/index-4f3a.js.br'), brotliCompressSync(SCRIPT));
      writeFileSync(path.join(api.folder, 'secret.json'), '{"secret":true}');
      symlinkSync(path.join(api.folder, 'secret.json'), path.join(dist, 'assets/link.json'));
    });

    it.each([
      '/console',
      '/console/',
      '/console/policies/payments',
      '/console/audit?verdict=deny&from=2026-12-01T00:00:00.000Z',
      '/console/index.html',
    ])('shows its page at %s to anybody, with a nonce of its own for inserted styles', async (url) => {
      const [one, other] = [await get(url), await get(url)];
      expect([one.statusCode, one.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(one.headers['cache-control']).toBe('no-store');
      const [, nonce = ''] = /nonce="([\w-]{24})"/.exec(one.body) ?? [];
      expect(nonce).not.toBe('');
      expect(one.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(other.body).not.toBe(one.body);
    });

    it('lets no text become a script, whatever is shown', async () => {
      const policy = String((await get('/console')).headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    });

    it('sends a file as it lies ready: smaller where the browser takes that, and kept for good', async () => {
      const url = '/console/assets/index-4f3a.js';
      const small = await get(url, { 'accept-encoding': 'gzip, deflate, br' });
      expect(small.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
      expect(brotliDecompressSync(small.rawPayload).toString()).toBe(SCRIPT);
      // There is no .gz.
      const plain = await get(url, { 'accept-encoding': 'gzip' });
      expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, SCRIPT]);
      expect(plain.headers['etag']).not.toBe(small.headers['etag']);
    });

    it('has other files asked for again, and does not send what is there already', async () => {
      const { headers } = await get('/console/icon.svg');
      expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
      const again = await get('/console/icon.svg', { 'if-none-match': String(headers['etag']) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      const head = await api.app.inject({ method: 'HEAD', url: '/console/icon.svg' });
      expect([head.statusCode, head.body]).toEqual([200, '']);
    });

    it.each([
      '/console/assets/gone-1234.js',
      '/console/assets/link.json',
      '/console/.env.json',
      '/console/../secret.json',
      '/console/..%2fsecret.json',
      '/console/%2e%2e/secret.json',
      '/console/assets/..%5c..%5csecret.json',
      '/console/assets//..//..//secret.json',
      '/console/assets/index-4f3a.js%00.json',
      `/console/${'a/'.repeat(400)}b.json`,
      '/console/assets/constructor.toString',
    ])('has nothing at %s', async (url) => {
      const { statusCode, body } = await get(url);
      expect(statusCode).toBe(404);
      expect(body).not.toContain('"secret":true');
    });
  });
});

it.each<[string | undefined, string[]]>([
  [undefined, []],
  ['', []],
  ['gzip, br', ['br', 'gzip']],
  ['br;q=0, gzip;q=0.5', ['gzip']],
  ['*', ['br', 'gzip']],
  ['identity, *;q=0', []],
  ['GZIP', ['gzip']],
  ['br;q=x', ['br']],
])('Accept-Encoding %j allows %j', (header, encodings) => {
  expect(acceptedEncodings(header)).toEqual(encodings);
});
