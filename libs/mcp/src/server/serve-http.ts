import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServerOptions } from './create-mcp-server.js';
import { refusalOf } from './http-guard.js';
import { McpHttpHandler, refuse } from './http-handler.js';
import type { McpOffer } from './mcp-offer.js';

export interface ServeHttpOptions extends McpServerOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** Null = nobody needs one: only for fixtures that can do no harm. */
  readonly token: string | null;
  /** A new connection's offer. */
  readonly offer: () => Promise<McpOffer>;
  readonly mostSessions?: number;
  readonly maxBodyBytes?: number;
}

export interface HttpService {
  readonly url: string;
  /** Every connection ends, and what it offered is closed. */
  close(): Promise<void>;
}

const PATH = '/mcp';
/** Whoever holds the one token. */
const HOLDER = { subject: 'holder' };

/** Streamable HTTP on loopback, for clients of this machine that were given the token. */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpService> {
  const handler = new McpHttpHandler(options);
  const http = createServer((request, response) => {
    const refusal = refusalOf(request, options.token);
    if (refusal !== null) {
      if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer');
      return refuse(response, refusal.status, refusal.message);
    }
    if (pathOf(request.url) !== PATH) return refuse(response, 404, `nothing here: the endpoint is ${PATH}`);
    void handler.handle(request, response, HOLDER);
  });
  await listen(http, options.port);
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    async close() {
      http.close();
      await handler.close();
      http.closeAllConnections();
    },
  };
}

/** Null for what is no path at all: `//` names a host to the URL parser. */
function pathOf(url = '/'): string | null {
  return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : null;
}

async function listen(http: HttpServer, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', () => {
      http.off('error', reject);
      resolve();
    });
  });
}
