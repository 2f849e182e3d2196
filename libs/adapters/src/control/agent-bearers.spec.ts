import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentBearers } from './agent-bearers.js';

const WHO = {
  principal: { id: 'u-1', kind: 'user', name: 'mira', teams: ['payments'], roles: ['agent', 'developer'] },
  agent: { id: 'ag-1', name: 'nightly@ci' },
  organisation: 'acme',
  scope: 'team:payments',
};
const AGENTS = 'wsa_11_secret';

describe('whose a bearer is', () => {
  let server: Server;
  let asked: string[];
  let answer: { status: number; body: unknown };
  let now: number;
  let bearers: AgentBearers;

  beforeEach(async () => {
    [asked, now, answer] = [[], 0, { status: 200, body: WHO }];
    server = createServer((request, response) => {
      asked.push(`${String(request.url)} ${request.headers.authorization ?? ''}`);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    bearers = new AgentBearers(`http://127.0.0.1:${String(port)}`, { now: () => now });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is asked of the server, once for all who ask at the same time, and again when that is a while ago', async () => {
    const both = await Promise.all([bearers.ownerOf(AGENTS), bearers.ownerOf(AGENTS)]);
    expect(both[1]).toMatchObject({ kind: 'agent', agent: { id: 'ag-1', scope: 'team:payments' } });
    expect(asked).toEqual([`/v1/whoami Bearer ${AGENTS}`]);
    answer = { status: 401, body: { code: 'auth.required' } };
    now = 9_999;
    expect(await bearers.ownerOf(AGENTS)).toMatchObject({ kind: 'agent' });
    now = 10_000;
    expect(await bearers.ownerOf(AGENTS)).toEqual({ kind: 'unknown' });
  });

  it('is nobody’s that we would know where it is none of the server’s: nothing else is sent there', async () => {
    for (const text of ['', 'sk-a-key-of-a-model', 'wst_', `${AGENTS}\r\nx: y`, `wst_${'x'.repeat(300)}`])
      expect(await bearers.ownerOf(text)).toEqual({ kind: 'unknown' });
    expect(asked).toEqual([]);
  });

  it('may be a person’s or a service’s', async () => {
    answer = { status: 200, body: { ...WHO, agent: null, scope: null } };
    expect(await bearers.ownerOf('wst_2_secret')).toEqual({ kind: 'no-agent' });
  });

  it.each([
    ['a server that fails', 500, {}],
    ['no identity at all', 200, {}],
    ['an agent without a scope', 200, { ...WHO, scope: null }],
    ['one without a name', 200, { ...WHO, agent: { id: 'ag-1' } }],
    ['a text', 200, 'ag-1'],
    ['a redirect', 302, {}],
  ])('is not known from %s, and is asked anew the next time', async (_name, status, body) => {
    answer = { status, body };
    await expect(bearers.ownerOf(AGENTS)).rejects.toHaveProperty('code');
    answer = { status: 200, body: WHO };
    expect(await bearers.ownerOf(AGENTS)).toMatchObject({ kind: 'agent' });
  });
});
