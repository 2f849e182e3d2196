import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropicStream } from './anthropic-stream.js';
import type { LoopbackTurn } from './model-turn-script.js';
import { openAiChatStream } from './openai-chat-stream.js';
import { openAiResponsesStream } from './openai-responses-stream.js';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  /** The caller's port: the same for requests over one connection. */
  readonly connection: number;
}

export interface LoopbackModelServer {
  readonly host: string;
  readonly port: number;
  /** Base URL for the Anthropic format. */
  readonly anthropicUrl: string;
  /** Base URL for both OpenAI formats. */
  readonly openAiUrl: string;
  /** Everything that was asked, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Add turns behind those that are still to be played. */
  push(...turns: readonly LoopbackTurn[]): void;
  close(): Promise<void>;
}

type StreamOf = (turn: LoopbackTurn, index: number, model: string) => string;

const STREAMS: Readonly<Record<string, StreamOf>> = {
  '/v1/messages': anthropicStream,
  '/v1/chat/completions': openAiChatStream,
  '/chat/completions': openAiChatStream,
  '/v1/responses': openAiResponsesStream,
  '/responses': openAiResponsesStream,
};

/**
 * A model server on loopback that speaks the real stream formats and plays turns in order, whichever format asks. A
 * request too many is answered with status 500 and says so.
 */
export async function startLoopbackModelServer(
  turns: readonly LoopbackTurn[] = [],
  options: { readonly port?: number } = {},
): Promise<LoopbackModelServer> {
  const waiting = [...turns];
  const requests: RecordedRequest[] = [];
  let played = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request);
    requests.push(recorded);
    const stream = STREAMS[recorded.path.split('?')[0] ?? ''];
    if (stream === undefined) return refuse(response, 404, `no such path: ${recorded.path}`);
    const turn = waiting.shift();
    if (turn === undefined) return refuse(response, 500, `the script has ended after ${played} turns`);
    const index = played;
    played += 1;
    if (turn.delayMs !== undefined) await sleep(turn.delayMs);
    if (turn.status !== undefined) {
      response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
      response.end(turn.body ?? '');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...turn.headers });
    await write(response, turn, Buffer.from(turn.rawStream ?? stream(turn, index, modelOf(recorded.body))));
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    port,
    anthropicUrl: `http://${host}`,
    openAiUrl: `http://${host}/v1`,
    requests,
    push: (...more) => void waiting.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const rawBody = Buffer.concat(chunks).toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(rawBody);
  } catch {
    body = undefined;
  }
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    rawBody,
    body,
    connection: request.socket.remotePort ?? 0,
  };
}

function modelOf(body: unknown): string {
  const model: unknown =
    typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
  return typeof model === 'string' ? model : 'loopback-model';
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { type: 'invalid_request_error', message } }));
}

async function write(response: ServerResponse, turn: LoopbackTurn, stream: Buffer): Promise<void> {
  const end = Math.min(turn.cutAfterBytes ?? turn.hangAfterBytes ?? stream.length, stream.length);
  const sizes = turn.pieces?.filter((size) => size > 0) ?? [];
  response.flushHeaders();
  let at = 0;
  for (let piece = 0; at < end; piece += 1) {
    const size = sizes.length === 0 ? end : (sizes[piece % sizes.length] ?? end);
    const chunk = stream.subarray(at, Math.min(at + size, end));
    await new Promise<void>((resolve) => response.write(chunk, () => resolve()));
    at += chunk.length;
  }
  if (turn.hangAfterBytes !== undefined) return;
  if (turn.cutAfterBytes !== undefined && turn.cutHow === 'reset') {
    response.destroy();
    return;
  }
  response.end();
}
