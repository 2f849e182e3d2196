import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpHttpHandler, type McpIdentity } from './http-handler.js';
import type { McpOffer } from './mcp-offer.js';

let finishSlow: () => void;
let finish: Promise<void>;

/** An offer that says whose it is. */
function offerOf({ subject }: McpIdentity, closed: string[]): McpOffer {
  return {
    tools: () => ['who', 'slow'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
    call: async (name) => {
      if (name === 'slow') await finish;
      return { content: [{ type: 'text', text: subject }] };
    },
    resources: () => [],
    templates: () => [],
    read: async () => null,
    prompts: () => [],
    prompt: () => null,
    complete: () => [],
    close: async () => void closed.push(subject),
  };
}

describe('the handler in a server that knows who asks', () => {
  let http: Server;
  let handler: McpHttpHandler<McpIdentity>;
  let url: URL;
  let closed: string[];
  let now: number;
  let streams: number;
  const clients: Client[] = [];

  beforeEach(async () => {
    finish = new Promise((resolve) => (finishSlow = resolve));
    closed = [];
    now = 0;
    streams = 0;
    handler = new McpHttpHandler({
      name: 'test',
      title: 'Test',
      version: '1',
      offer: async (identity) => offerOf(identity, closed),
      mostSessions: 2,
      idleMs: 100,
      now: () => now,
    });
    // A server that has authenticated its caller, as any API does before it hands a request on.
    http = createServer((request, response) => {
      const subject = String(request.headers['x-who']);
      if (request.method === 'GET') streams += 1;
      if (request.method !== 'POST') return void handler.handle(request, response, { subject });
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      request.on('end', () => void handler.handle(request, response, { subject }, JSON.parse(text)));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp`);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await handler.close();
    http.closeAllConnections();
    http.close();
  });

  async function connect(subject: string): Promise<{ client: Client; session: string }> {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { 'x-who': subject } },
    });
    await client.connect(transport);
    clients.push(client);
    return { client, session: transport.sessionId ?? '' };
  }

  const post = (subject: string, session: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'x-who': subject,
        'mcp-session-id': session,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } }),
    });

  it('offers each identity its own', async () => {
    const [ann, ben] = [await connect('ann'), await connect('ben')];
    expect(await ann.client.callTool({ name: 'who' })).toMatchObject({ content: [{ text: 'ann' }] });
    expect(await ben.client.callTool({ name: 'who' })).toMatchObject({ content: [{ text: 'ben' }] });
  });

  it('knows a session only for the identity that opened it', async () => {
    const { session } = await connect('ann');
    expect((await post('ben', session)).status).toBe(404);
    expect((await post('ann', session)).status).toBe(200);
  });

  it('bounds the sessions of one identity without touching those of another', async () => {
    const ben = await connect('ben');
    const first = await connect('ann');
    await connect('ann');
    await connect('ann');
    expect(closed).toEqual(expect.arrayContaining(['ann']));
    expect(closed).not.toContain('ben');
    expect((await post('ann', first.session)).status).toBe(404);
    expect(await ben.client.callTool({ name: 'who' })).toMatchObject({ content: [{ text: 'ben' }] });
  });

  it('cuts no call off for a newcomer, and says so to it', async () => {
    const busy = [await connect('ann'), await connect('ann')];
    const calls = busy.map(({ client }) => client.callTool({ name: 'slow' }));
    await expect(connect('ann')).rejects.toThrow(/503|too many connections/);
    expect(closed).toEqual([]);
    finishSlow();
    for (const answer of await Promise.all(calls))
      expect(answer).toMatchObject({ content: [{ text: 'ann' }] });
  });

  it('ends a session that nobody speaks in and nobody listens to, and none that somebody listens to', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const headers = {
      'x-who': 'ann',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const opened = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    // Nothing else of what the handler was made with reaches a client.
    expect(await opened.text()).toContain('"serverInfo":{"name":"test","title":"Test","version":"1"}');
    const listening = await connect('ben');
    while (streams === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    now = 1_000_000;
    while (!closed.includes('ann')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await post('ann', opened.headers.get('mcp-session-id') ?? '')).status).toBe(404);
    expect(await listening.client.callTool({ name: 'who' })).toMatchObject({ content: [{ text: 'ben' }] });
  });

  it('that goes down finishes what it answers, begins nothing, and closes what was offered', async () => {
    const { client, session } = await connect('ann');
    const slow = client.callTool({ name: 'slow' });
    await client.ping();
    const drained = handler.drain(30_000);
    const refused = await post('ann', session);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    await expect(connect('ben')).rejects.toThrow('going down');
    finishSlow();
    expect(await slow).toMatchObject({ content: [{ text: 'ann' }] });
    await drained;
    expect(closed).toContain('ann');
  });
});
