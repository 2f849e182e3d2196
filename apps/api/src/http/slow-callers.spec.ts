import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const PATIENCE = { headersMs: 1_500, requestMs: 2_500, lookEveryMs: 100 };
const BOUND_MS = 10_000;
const MANY = 300;
const HEAD = 'POST /v1/decisions HTTP/1.1\r\nhost: api\r\nauthorization: Bearer ada\r\n';
const BODY_HEAD = `${HEAD}content-type: application/json\r\ncontent-length: 4000\r\n\r\n`;

describe('callers who are slow', () => {
  let api: TestApi;
  let port: number;
  beforeAll(async () => {
    api = await TestApi.start({}, undefined, { patience: PATIENCE });
    await api.app.listen(0, '127.0.0.1');
    ({ port } = api.app.getHttpServer().address() as AddressInfo);
  });
  afterAll(async () => {
    api.app.getHttpServer().closeAllConnections();
    await api.stop();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  /** One byte at a time for as long as anybody listens. What was answered, and after how long. */
  const drip = async (start: string, byte: string) => {
    const socket = await open();
    const began = performance.now();
    socket.write(start);
    const timer = setInterval(() => socket.write(byte), 50);
    const answer = await text(socket).catch(() => '');
    clearInterval(timer);
    return { answer, ms: performance.now() - began };
  };
  const others = async () => {
    const headers = { authorization: 'Bearer ada' };
    return (await fetch(`http://127.0.0.1:${port}/v1/whoami`, { headers })).status;
  };

  it.each([
    ['the first line', 'GET /v1/who', 'x'],
    ['headers', `${HEAD}x-slow: `, 'x'],
    ['one header after another', HEAD, 'x: y\r\n'],
    ['a body', BODY_HEAD, ' '],
    [
      'a body of unknown length',
      `${HEAD}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
      '1\r\n \r\n',
    ],
    [
      'a body to a route that needs nobody',
      'POST /healthz HTTP/1.1\r\nhost: api\r\ncontent-length: 4000\r\n\r\n',
      ' ',
    ],
  ])('who send %s drop by drop are answered 408 and let go', async (_what, start, byte) => {
    const { answer, ms } = await drip(start, byte);
    expect(ms).toBeLessThan(BOUND_MS);
    const [head = '', body = '{}'] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    expect(body).toContain('"code":');
  });

  it('hold nobody else up, however many they are', async () => {
    const slow = await Promise.all(
      Array.from({ length: MANY }, async (_, index) => {
        const socket = await open();
        if (index % 3 !== 0) socket.write(index % 3 === 1 ? `${HEAD}x-slow: ` : BODY_HEAD);
        return socket;
      }),
    );
    const ended = slow.map((socket) => text(socket).catch(() => ''));
    const first = await Promise.race([others(), Promise.all(ended)]);
    expect(first).toBe(200);
    const began = performance.now();
    const answers = await Promise.all(ended);
    expect(performance.now() - began).toBeLessThan(BOUND_MS);
    // Who never said anything is let go as well.
    expect(answers.every((answer) => answer.startsWith('HTTP/1.1 408 '))).toBe(true);
    expect(await others()).toBe(200);
  });

  it.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400, 'request.malformed'],
    [
      'a head without end',
      `GET / HTTP/1.1\r\nhost: api\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`,
      431,
      'request.head_too_large',
    ],
    [
      'two lengths',
      'POST /v1/decisions HTTP/1.1\r\nhost: api\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'request.malformed',
    ],
  ])('who send %s are told so as a problem', async (_what, bytes, status, code) => {
    const socket = await open();
    socket.write(bytes);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    expect(answer).toContain('content-type: application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status, code });
  });

  it('who wait for an answer are not among them, and hold up no end', async () => {
    const socket = await open();
    socket.write('GET /v1/approvals/events HTTP/1.1\r\nhost: api\r\nauthorization: Bearer ada\r\n\r\n');
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 /);
    await new Promise((resolve) => setTimeout(resolve, PATIENCE.requestMs * 2));
    expect(socket.readyState).toBe('open');
    const ended = text(socket);
    const began = performance.now();
    await api.app.close();
    await ended;
    expect(performance.now() - began).toBeLessThan(BOUND_MS);
  });
});
