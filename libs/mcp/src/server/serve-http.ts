import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { messageOf } from '@wrongstack/contracts';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js';
import { EventHistory } from './event-history.js';
import { refusalOf } from './http-guard.js';
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
const MOST_SESSIONS = 32;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const RETRY_MS = 500;

interface Connection {
  readonly transport: StreamableHTTPServerTransport;
  readonly offer: McpOffer;
  usedAt: number;
}

/** Streamable HTTP on loopback, one server and one offer for each session of the protocol. */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpService> {
  const sessions = new Map<string, Connection>();
  const http = createServer((request, response) => {
    handle(request, response, sessions, options).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, messageOf(error));
      else response.destroy();
    });
  });
  await listen(http, options.port);
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    async close() {
      http.close();
      const open = [...sessions.values()];
      sessions.clear();
      await Promise.allSettled(open.map((one) => end(one)));
      http.closeAllConnections();
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, Connection>,
  options: ServeHttpOptions,
): Promise<void> {
  const refusal = refusalOf(request, options.token);
  if (refusal !== null) {
    if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer');
    return refuse(response, refusal.status, refusal.message);
  }
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== PATH) {
    return refuse(response, 404, `nothing here: the endpoint is ${PATH}`);
  }
  const id = request.headers['mcp-session-id'];
  if (typeof id === 'string') {
    const known = sessions.get(id);
    if (known === undefined) return refuse(response, 404, 'this session has ended: initialize anew');
    known.usedAt = Date.now();
    return known.transport.handleRequest(request, response);
  }
  if (request.method !== 'POST') return refuse(response, 400, 'a session id is needed: initialize first');
  await open(request, response, sessions, options);
}

/** Without a session id it can only be the first message; the transport refuses anything else. */
async function open(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, Connection>,
  options: ServeHttpOptions,
): Promise<void> {
  await makeRoom(sessions, options.mostSessions ?? MOST_SESSIONS);
  const offer = await options.offer();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, { transport, offer, usedAt: Date.now() }),
    onsessionclosed: (session) => void sessions.delete(session),
    eventStore: new EventHistory(),
    retryInterval: RETRY_MS,
    maxRequestBodySize: options.maxBodyBytes ?? MAX_BODY_BYTES,
  });
  const server = createMcpServer(offer, options);
  await server.connect(transport);
  await transport.handleRequest(request, response);
  if (transport.sessionId === undefined) await server.close();
}

/** A client that went away without a word leaves its session behind; the one unused for longest goes first. */
async function makeRoom(sessions: Map<string, Connection>, most: number): Promise<void> {
  if (sessions.size < most) return;
  const [oldest] = [...sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt);
  if (oldest === undefined) return;
  sessions.delete(oldest[0]);
  await end(oldest[1]);
}

async function end({ transport, offer }: Connection): Promise<void> {
  await transport.close();
  await offer.close();
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
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
