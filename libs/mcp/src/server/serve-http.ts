import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServerOptions } from './create-mcp-server.js';
import { bearerIn, type Refusal, sameText, siteRefusal } from './http-guard.js';
import { McpHttpHandler, type McpIdentity, refuse } from './http-handler.js';
import type { McpOffer } from './mcp-offer.js';

/** Who may talk to the server, by the bearer that they send. */
export type Admission<Agent> = { readonly agent: Agent; readonly subject: string } | Refusal;

export interface ServeHttpOptions<Agent = never> extends McpServerOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** Null = nobody needs one: only for fixtures that can do no harm. */
  readonly token: string | null;
  /** Whose a bearer is that is not the token; missing = nobody's. */
  readonly admit?: (bearer: string) => Promise<Admission<Agent>>;
  /** A new connection's offer. Null = whoever holds the token. */
  readonly offer: (agent: Agent | null) => Promise<McpOffer>;
  readonly mostSessions?: number;
  readonly maxBodyBytes?: number;
}

export interface HttpService {
  readonly url: string;
  /** Every connection ends, and what it offered is closed. */
  close(): Promise<void>;
}

interface Caller<Agent> extends McpIdentity {
  readonly agent: Agent | null;
}

const PATH = '/mcp';

/** Streamable HTTP on loopback, for clients of this machine that were given the token or hold one of their own. */
export async function serveHttp<Agent = never>(options: ServeHttpOptions<Agent>): Promise<HttpService> {
  const { offer, ...rest } = options;
  const handler = new McpHttpHandler<Caller<Agent>>({ ...rest, offer: ({ agent }) => offer(agent) });
  const http = createServer((request, response) => {
    void callerOf(request, options).then((caller) => {
      if ('status' in caller) {
        if (caller.status === 401) response.setHeader('www-authenticate', 'Bearer');
        return refuse(response, caller.status, caller.message);
      }
      if (pathOf(request.url) !== PATH) return refuse(response, 404, `nothing here: the endpoint is ${PATH}`);
      return handler.handle(request, response, caller);
    });
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

async function callerOf<Agent>(
  { headers }: IncomingMessage,
  { token, admit }: ServeHttpOptions<Agent>,
): Promise<Caller<Agent> | Refusal> {
  const refusal = siteRefusal(headers);
  if (refusal !== null) return refusal;
  const bearer = bearerIn(headers);
  if (token === null || sameText(bearer, token)) return { subject: 'holder', agent: null };
  const stranger: Refusal = {
    status: 401,
    message: 'a bearer token is needed: it was printed when the server started',
  };
  if (admit === undefined || bearer === '') return stranger;
  try {
    const admission = await admit(bearer);
    return 'status' in admission ? admission : { ...admission, subject: `agent ${admission.subject}` };
  } catch {
    return { status: 503, message: 'whose this bearer is cannot be asked now: try again' };
  }
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
