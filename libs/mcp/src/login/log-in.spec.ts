import { createServer, type Server as HttpListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SecretVault } from '@wrongstack/contracts';
import { connect } from '../client/connect.js';
import { type HttpServer, serverOf } from '../client/server-config.js';
import { McpFixture } from '../testing/fixture.spec-support.js';
import { logIn } from './log-in.js';
import { VaultTokens } from './vault-tokens.js';

class MemoryVault extends SecretVault {
  readonly kept = new Map<string, string>();
  override get = async (name: string): Promise<string | undefined> => this.kept.get(name);
  override set = async (name: string, value: string): Promise<void> => void this.kept.set(name, value);
  override remove = async (name: string): Promise<boolean> => this.kept.delete(name);
  override list = async (): Promise<readonly never[]> => [];
}

/** An MCP server that wants a token, and the server that gives one, in one. */
class ProtectedServer {
  readonly seen: string[] = [];
  /** Each registration and each use of a code, with the credentials that came along. */
  readonly registered: string[] = [];
  readonly basic: (string | undefined)[] = [];
  /** Greets everybody, and asks who you are only when somebody wants its tools. */
  greets = false;
  /** Calling needs this scope as well, and the page must have asked for it. */
  callScope: string | null = null;
  granted = '';
  #listener: HttpListener | undefined;
  url = '';

  async listen(): Promise<void> {
    const listener = createServer((request, response) => {
      void text(request).then((body) =>
        this.#answer(request.url ?? '', request.headers.authorization, body, response),
      );
    });
    this.#listener = listener;
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}`;
  }

  close(): void {
    this.#listener?.closeAllConnections();
    this.#listener?.close();
  }

  #answer(path: string, authorization: string | undefined, body: string, response: ServerResponse): void {
    const json = (status: number, value: unknown, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    if (path.startsWith('/.well-known/oauth-protected-resource')) {
      return json(200, { resource: `${this.url}/mcp`, authorization_servers: [this.url] });
    }
    if (path.startsWith('/.well-known/')) {
      return json(200, {
        issuer: this.url,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        registration_endpoint: `${this.url}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      });
    }
    if (path === '/register') this.registered.push(body);
    if (path === '/register') return json(201, { ...(JSON.parse(body) as object), client_id: 'client-1' });
    if (path === '/token') {
      this.basic.push(authorization);
      this.seen.push(new URLSearchParams(body).get('code') ?? 'no code');
      return json(200, { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 });
    }
    const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: number; method?: string };
    const metadata = `${this.url}/.well-known/oauth-protected-resource/mcp`;
    const open = this.greets && (method === 'initialize' || method?.startsWith('notifications/') === true);
    if (authorization !== 'Bearer token-1' && !open) {
      return json(401, {}, { 'www-authenticate': `Bearer scope="read", resource_metadata="${metadata}"` });
    }
    if (body === '') return json(405, {});
    if (method === 'tools/call' && this.callScope !== null && !this.granted.includes(this.callScope)) {
      const needed = `Bearer error="insufficient_scope", scope="${this.callScope}", resource_metadata="${metadata}"`;
      return json(403, {}, { 'www-authenticate': needed });
    }
    if (id === undefined) return void response.writeHead(202).end();
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: this.greets ? { tools: {} } : {},
      serverInfo: { name: 'p', version: '1' },
    };
    const list = { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
    const done = { content: [{ type: 'text', text: 'done' }] };
    const results: Record<string, unknown> = { initialize, 'tools/list': list, 'tools/call': done };
    return json(200, { jsonrpc: '2.0', id, result: results[method ?? ''] ?? {} });
  }
}

describe('a remote server that wants a login', () => {
  let remote: ProtectedServer;
  let vault: MemoryVault;
  let mcp: McpFixture;
  beforeEach(async () => {
    remote = new ProtectedServer();
    await remote.listen();
    vault = new MemoryVault();
    mcp = new McpFixture({ tokens: new VaultTokens(vault) });
  });
  afterEach(async () => {
    await mcp.dispose();
    remote.close();
  });

  const config = () => ({ name: 'p', transport: 'http' as const, url: `${remote.url}/mcp` });
  const server = (): HttpServer => serverOf(config()) as HttpServer;
  /** What the person's browser does: it comes back with a code. */
  const browser =
    (change: (back: URL) => void = () => undefined) =>
    (page: URL) => {
      const back = new URL(page.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('state', page.searchParams.get('state') ?? '');
      back.searchParams.set('code', 'code-1');
      remote.granted = page.searchParams.get('scope') ?? '';
      change(back);
      void fetch(back);
    };
  const login = (open: (page: URL) => void, signal = AbortSignal.timeout(5_000)) =>
    logIn(server(), { tokens: new VaultTokens(vault), open, signal });

  it('says so, and how', async () => {
    await expect(mcp.supervisor.start(config())).rejects.toMatchObject({
      code: 'mcp.login_needed',
      hint: 'wstack mcp login p',
    });
  });

  it('is reached with the token that the login gave, which lies in the vault and nowhere else', async () => {
    await login(browser());
    expect(remote.seen).toEqual(['code-1']);
    expect([...vault.kept.keys()]).toEqual(['mcp-login-p']);
    await mcp.supervisor.start(config());
    expect(mcp.supervisor.list()).toMatchObject([{ state: 'ready' }]);
  });

  it('that greets everybody is logged in at as well', async () => {
    remote.greets = true;
    await expect(mcp.supervisor.start(config())).rejects.toMatchObject({ code: 'mcp.login_needed' });
    await login(browser());
    expect(remote.seen).toEqual(['code-1']);
  });

  it('and that wants more for one call says so once, and the next login asks for both', async () => {
    remote.greets = true;
    remote.callScope = 'write';
    await login(browser());
    expect(remote.granted).toBe('read');
    const parts = {
      environment: {},
      workingFolder: '/',
      credential: async () => undefined,
      authProvider: (one: HttpServer) => new VaultTokens(vault).providerFor(one),
    };
    const call = async () => {
      const connection = await connect(server(), parts, new AbortController().signal);
      const options = { signal: AbortSignal.timeout(5_000), timeoutMs: 5_000 };
      try {
        return await connection.request('tools/call', { name: 'act', arguments: {} }, options);
      } finally {
        await connection.close();
      }
    };
    await expect(call()).rejects.toMatchObject({ code: 'mcp.login_needed', hint: 'wstack mcp login p' });
    await login(browser());
    expect(remote.granted.split(' ').sort()).toEqual(['read', 'write']);
    await expect(call()).resolves.toMatchObject({ content: [{ text: 'done' }] });
  });

  it('and that registers nobody takes a client that was registered beforehand', async () => {
    await logIn(server(), {
      tokens: new VaultTokens(vault),
      open: browser(),
      signal: AbortSignal.timeout(5_000),
      identity: { registered: { client_id: 'known', client_secret: 'shared' } },
    });
    expect(remote.registered).toEqual([]);
    expect(remote.basic).toEqual([`Basic ${Buffer.from('known:shared').toString('base64')}`]);
  });

  it('does not get the token of another address under its name', async () => {
    await login(browser());
    const moved = { ...server(), url: new URL(`${remote.url}/other`) };
    await expect(new VaultTokens(vault).providerFor(moved)).resolves.toBeUndefined();
    expect(await new VaultTokens(vault).forget('p')).toBe(true);
    await expect(new VaultTokens(vault).providerFor(server())).resolves.toBeUndefined();
  });

  it('takes no code from a page that was not opened for it', async () => {
    const controller = new AbortController();
    const forged = browser((back) => {
      back.searchParams.set('state', 'guessed');
      setTimeout(() => controller.abort(), 200);
    });
    await expect(login(forged, controller.signal)).rejects.toMatchObject({ code: 'mcp.login_failed' });
    expect(remote.seen).toEqual([]);
  });

  it('says when the person declined', async () => {
    const declined = browser((back) => {
      back.searchParams.delete('code');
      back.searchParams.set('error', 'access_denied');
    });
    await expect(login(declined)).rejects.toMatchObject({
      message: expect.stringContaining('access_denied'),
    });
  });
});
