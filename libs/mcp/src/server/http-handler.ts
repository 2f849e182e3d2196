import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { messageOf } from '@wrongstack/contracts';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js';
import { EventHistory } from './event-history.js';
import type { McpOffer } from './mcp-offer.js';

/** Who sends a request, as whoever mounted the handler has established it before. */
export interface McpIdentity {
  /** Stable, and never two identities' own. */
  readonly subject: string;
}

export interface McpHttpOptions<Identity extends McpIdentity> extends McpServerOptions {
  /** What a new session of this identity is offered. */
  readonly offer: (identity: Identity) => Promise<McpOffer>;
  /** Sessions of one identity; the one unused for longest gives way. */
  readonly mostSessions?: number;
  readonly maxBodyBytes?: number;
}

const MOST_SESSIONS = 32;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const RETRY_MS = 500;

interface Session {
  readonly subject: string;
  readonly transport: StreamableHTTPServerTransport;
  readonly offer: McpOffer;
  usedAt: number;
}

/**
 * Streamable HTTP for whoever has a server already: one protocol server and one offer for each session. It authenticates
 * nobody. A session answers the identity that opened it and is unknown to every other one, whoever learns its id.
 */
export class McpHttpHandler<Identity extends McpIdentity> {
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly options: McpHttpOptions<Identity>) {}

  /** `body`: the request's, where it was read and parsed already. Never rejects. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    identity: Identity,
    body?: unknown,
  ): Promise<void> {
    try {
      await this.#answer(request, response, identity, body);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, messageOf(error));
    }
  }

  /** Every session ends, and what it was offered is closed. */
  async close(): Promise<void> {
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(open.map((one) => end(one)));
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    identity: Identity,
    body: unknown,
  ): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const known = this.#sessions.get(id);
      if (known?.subject !== identity.subject)
        return refuse(response, 404, 'this session has ended: initialize anew');
      known.usedAt = Date.now();
      return known.transport.handleRequest(request, response, body);
    }
    if (request.method !== 'POST') return refuse(response, 400, 'a session id is needed: initialize first');
    await this.#open(request, response, identity, body);
  }

  /** Without a session id it can only be the first message; the transport refuses anything else. */
  async #open(
    request: IncomingMessage,
    response: ServerResponse,
    identity: Identity,
    body: unknown,
  ): Promise<void> {
    const { subject } = identity;
    await this.#makeRoom(subject);
    const offer = await this.options.offer(identity);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) =>
        void this.#sessions.set(id, { subject, transport, offer, usedAt: Date.now() }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
      eventStore: new EventHistory(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: this.options.maxBodyBytes ?? MAX_BODY_BYTES,
    });
    const server = createMcpServer(offer, this.options);
    await server.connect(transport);
    await transport.handleRequest(request, response, body);
    if (transport.sessionId === undefined) await server.close();
  }

  /** A client that went away without a word leaves its session behind. */
  async #makeRoom(subject: string): Promise<void> {
    const own = [...this.#sessions].filter(([, one]) => one.subject === subject);
    if (own.length < (this.options.mostSessions ?? MOST_SESSIONS)) return;
    const [oldest] = own.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) return;
    this.#sessions.delete(oldest[0]);
    await end(oldest[1]);
  }
}

async function end({ transport, offer }: Session): Promise<void> {
  await transport.close();
  await offer.close();
}

/** A refusal that a client of the protocol can read. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}
