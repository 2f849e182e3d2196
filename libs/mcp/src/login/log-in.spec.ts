import { createServer, type Server as HttpListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SecretVault } from '@wrongstack/contracts';
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
        token_endpoint_auth_methods_supported: ['none'],
      });
    }
    if (path === '/register') return json(201, { ...(JSON.parse(body) as object), client_id: 'client-1' });
    if (path === '/token') {
      this.seen.push(new URLSearchParams(body).get('code') ?? 'no code');
      return json(200, { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 });
    }
    if (authorization !== 'Bearer token-1') {
      const metadata = `${this.url}/.well-known/oauth-protected-resource/mcp`;
      return json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
    }
    if (body === '') return json(405, {});
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 'p', version: '1' },
    };
    return json(200, { jsonrpc: '2.0', id, result: method === 'initialize' ? initialize : {} });
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
