import { randomBytes } from 'node:crypto';
import { createServer, type Server as HttpListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@wrongstack/contracts';
import type { HttpServer } from '../client/server-config.js';
import { McpError } from '../mcp-error.js';
import type { ClientIdentity, VaultTokens } from './vault-tokens.js';

export interface LogInOptions {
  readonly tokens: VaultTokens;
  /** Show the address to the person. */
  readonly open: (url: URL) => void;
  readonly signal: AbortSignal;
  readonly identity?: ClientIdentity;
}

/** Authorise at a remote server: OAuth with PKCE, the answer comes to a port of this machine. Throws `mcp.login_failed`. */
export async function logIn(
  server: HttpServer,
  { tokens, open, signal, identity = {} }: LogInOptions,
): Promise<void> {
  const [{ Client }, { StreamableHTTPClientTransport }, { UnauthorizedError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/auth.js'),
  ]);
  await tokens.startOver(server, identity);
  const state = randomBytes(16).toString('hex');
  const callback = await listen(server, state, signal);
  try {
    const authProvider = tokens.provider(server, { redirectUrl: callback.url, state, open }, identity);
    const transport = new StreamableHTTPClientTransport(server.url, { authProvider });
    const client = new Client({ name: 'wrongstack', version: '0.1.0' });
    try {
      await client.connect(transport, { timeout: server.startTimeoutMs });
      // Some greet everybody and ask only who wants something.
      if (client.getServerCapabilities()?.tools !== undefined) {
        await client.listTools(undefined, { timeout: server.startTimeoutMs });
      }
      // It asked for nothing: there is nothing to log in to.
      return;
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await transport.finishAuth(await callback.code);
    } finally {
      await client.close();
    }
  } catch (error) {
    if (error instanceof McpError) throw error;
    throw new McpError('mcp.login_failed', server.name, `the login failed: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    callback.close();
  }
}

interface Callback {
  readonly url: string;
  readonly code: Promise<string>;
  close(): void;
}

async function listen(server: HttpServer, state: string, signal: AbortSignal): Promise<Callback> {
  let settle: { resolve(code: string): void; reject(error: Error): void } | undefined;
  const code = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Nobody may be waiting yet when it is interrupted.
  code.catch(() => undefined);
  const listener: HttpListener = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const answer = searchParams.get('code');
    if (pathname !== '/callback') {
      response.writeHead(404).end();
      return;
    }
    // Anybody on this machine can reach the port: only the page that was opened knows the state.
    if (searchParams.get('state') !== state) {
      response.writeHead(400).end('This is not the page that wstack opened.');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Done. You can close this page.');
    if (answer !== null) settle?.resolve(answer);
    else {
      const why = searchParams.get('error') ?? 'no code came back';
      settle?.reject(new McpError('mcp.login_failed', server.name, `the login was refused: ${why}`));
    }
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  const onAbort = (): void => settle?.reject(new McpError('mcp.login_failed', server.name, 'interrupted'));
  signal.addEventListener('abort', onAbort, { once: true });
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/callback`,
    code,
    close() {
      signal.removeEventListener('abort', onAbort);
      listener.closeAllConnections();
      listener.close();
    },
  };
}
