import type { IncomingMessage, ServerResponse } from 'node:http';
import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Answer, RouteContract, Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { McpEndpoint } from './mcp-endpoint.handler.js';

interface Request {
  readonly raw: IncomingMessage;
}

interface Reply {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  hijack(): unknown;
}

const MESSAGE: Schema = { type: ['object', 'array'], description: 'A message of JSON-RPC 2.0, or several.' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'nightly', version: '1.0.0' },
  },
};
const STREAM: Answer = {
  description: 'Events, each with one message of JSON-RPC.',
  mediaType: 'text/event-stream',
  schema: { type: 'string' },
};
const COMMON = {
  // As for a call over REST; that it is an agent's is asked beside it.
  ability: ['create', 'ToolCall'],
  problems: {
    400: 'No session id, or no message.',
    403: 'mcp.agents_only, or mcp.other_site: a Host or Origin header that names another one.',
    404: 'The session has ended, or is another agent’s: initialize anew.',
    503: 'The server is going down: try again.',
  },
} as const satisfies Partial<RouteContract>;

/** The same governed tools as under `/v1/tools`, for clients of the Model Context Protocol (streamable HTTP). */
@Controller('mcp')
export class McpController {
  constructor(@Inject(McpEndpoint) private readonly endpoint: McpEndpoint) {}

  @Route('POST', '', {
    ...COMMON,
    summary: 'Model Context Protocol: a message of an enrolled agent; `initialize` opens a session',
    body: MESSAGE,
    bodyExample: INITIALIZE,
    answers: { 200: STREAM, 202: { description: 'Taken; there is nothing to answer.' } },
  })
  message(
    @Caller() caller: Principal,
    @Req() request: Request,
    @Body() body: unknown,
    @Res() reply: Reply,
  ): Promise<void> {
    return this.#handOver(caller, request, reply, body);
  }

  @Route('GET', '', {
    ...COMMON,
    summary: 'Model Context Protocol: what the server says by itself, and the rest of a broken answer',
    answers: { 200: STREAM },
  })
  listen(@Caller() caller: Principal, @Req() request: Request, @Res() reply: Reply): Promise<void> {
    return this.#handOver(caller, request, reply, undefined);
  }

  @Route('DELETE', '', {
    ...COMMON,
    summary: 'Model Context Protocol: end a session, and all that runs in it',
    answers: { 200: { description: 'It has ended.' } },
  })
  end(@Caller() caller: Principal, @Req() request: Request, @Res() reply: Reply): Promise<void> {
    return this.#handOver(caller, request, reply, undefined);
  }

  /** From here on the answer is the protocol's own; what every answer of ours carries it carries too. */
  async #handOver(caller: Principal, request: Request, reply: Reply, body: unknown): Promise<void> {
    const answer = await this.endpoint.admit(caller, request.raw);
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    await answer(request.raw, reply.raw, body);
  }
}
