import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '@wrongstack/contracts';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js';
import { EventHistory } from './event-history.js';
import { HttpSessions } from './http-sessions.js';
import type { McpOffer } from './mcp-offer.js';
import { OpenAnswers } from './open-answers.js';
import { refuseRepeatedIds } from './unrepeated-ids.js';

/** Who sends a request, as whoever mounted the handler has established it before. */
export interface McpIdentity {
  /** Stable, and never two identities' own. Another one for the same caller ends their sessions: what they may do has changed. */
  readonly subject: string;
}

export interface McpHttpOptions<Identity extends McpIdentity> extends McpServerOptions {
  /** What a new session of this identity is offered. */
  readonly offer: (identity: Identity) => Promise<McpOffer>;
  /** Sessions of one identity; of those that answer nothing now, the one unused for longest gives way. */
  readonly mostSessions?: number;
  readonly maxBodyBytes?: number;
  /** A session in which nobody speaks for this long, and that nobody listens to, ends with all that runs in it. */
  readonly idleMs?: number;
  readonly now?: () => number;
}

const MOST_SESSIONS = 32;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const RETRY_MS = 500;
const IDLE_MS = 30 * 60_000;

/**
 * Streamable HTTP for whoever has a server already: one protocol server and one offer for each session. It authenticates
 * nobody. A session answers the identity that opened it and is unknown to every other one, whoever learns its id.
 */
export class McpHttpHandler<Identity extends McpIdentity> {
  readonly #sessions: HttpSessions;
  readonly #answers = new OpenAnswers();
  #draining = false;

  constructor(private readonly options: McpHttpOptions<Identity>) {
    this.#sessions = new HttpSessions({
      most: options.mostSessions ?? MOST_SESSIONS,
      idleMs: options.idleMs ?? IDLE_MS,
      now: options.now ?? Date.now,
    });
  }

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

  /** Nothing new begins; what is being answered is, for as long as `graceMs`. Then everything ends. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    await this.#answers.settled(graceMs);
    await this.close();
  }

  /** Every session ends, and what it was offered is closed. */
  close(): Promise<void> {
    return this.#sessions.closeAll();
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    identity: Identity,
    body: unknown,
  ): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (this.#draining && (typeof id !== 'string' || isRequest(request, body))) {
      response.setHeader('retry-after', '5');
      return refuse(response, 503, 'the server is going down: try again');
    }
    if (typeof id === 'string') {
      const known = this.#sessions.find(id, identity.subject);
      if (known === null) return refuse(response, 404, 'this session has ended: initialize anew');
      this.#sessions.use(id, response, request.method === 'POST');
      if (request.method === 'POST') this.#answers.add(response);
      return known.transport.handleRequest(request, response, body);
    }
    if (request.method !== 'POST') return refuse(response, 400, 'a session id is needed: initialize first');
    // Where the body is known, nothing is made for what cannot begin a session.
    if (body !== undefined && !isInitializeRequest(body))
      return refuse(response, 400, 'a session id is needed: initialize first');
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
    if (!(await this.#sessions.makeRoom(subject))) {
      response.setHeader('retry-after', '5');
      return refuse(response, 503, 'too many connections are open and at work: end one of them first');
    }
    const offer = await this.options.offer(identity);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#sessions.add(id, { subject, transport, offer }),
      onsessionclosed: (id) => this.#sessions.forget(id),
      eventStore: new EventHistory(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: this.options.maxBodyBytes ?? MAX_BODY_BYTES,
    });
    const server = createMcpServer(offer, this.options);
    await server.connect(transport);
    refuseRepeatedIds(transport);
    await transport.handleRequest(request, response, body);
    if (transport.sessionId === undefined) await server.close();
  }
}

/** Asks for something new; answers, notifications and the end of a session do not. Unsure = it does. */
function isRequest({ method }: IncomingMessage, body: unknown): boolean {
  if (method !== 'POST') return false;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return true;
  return 'method' in body && 'id' in body;
}

/** A refusal that a client of the protocol can read. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}
