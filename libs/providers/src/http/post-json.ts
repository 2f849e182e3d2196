import type { Agent, IncomingMessage } from 'node:http';

type HttpClient = typeof import('node:http') | typeof import('node:https');

const agents = new Map<HttpClient, Agent>();

/** The part of an answer that a provider looks at; a `fetch` Response fits it. */
export interface HttpAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface HttpPost {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** How a request is sent. Rejects with the network's error; redirects are answers, not followed. */
export type Send = (url: URL, post: HttpPost) => Promise<HttpAnswer>;

/**
 * Node's own client. The first use of `fetch` loads a whole HTTP stack and costs as much CPU as starting Node does; one
 * POST and a streamed body need none of it.
 */
export const postJson: Send = async (url, { headers, body, signal }) => {
  const client = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  signal.throwIfAborted();
  return new Promise<HttpAnswer>((resolve, reject) => {
    const bytes = Buffer.from(body, 'utf8');
    const request = client.request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(bytes.byteLength), 'accept-encoding': 'identity' },
      agent: agentFor(client),
    });
    // Not request's own `signal`: it raises an error that nobody can catch once an answer is there and only half read.
    const onAbort = (): void => void request.destroy();
    signal.addEventListener('abort', onAbort, { once: true });
    request.on('close', () => signal.removeEventListener('abort', onAbort));
    request.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    request.on('response', (response) => resolve(answerOf(response)));
    request.end(bytes);
  });
};

/** Kept open between turns; an idle connection does not keep the process alive. */
function agentFor(client: HttpClient): Agent {
  const known = agents.get(client);
  if (known !== undefined) return known;
  const agent = new client.Agent({ keepAlive: true });
  agents.set(client, agent);
  return agent;
}

function answerOf(response: IncomingMessage): HttpAnswer {
  // A body that nobody reads any more may still break off; who reads it is told by the iteration.
  response.on('error', () => undefined);
  const status = response.statusCode ?? 0;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get(name) {
        const value = response.headers[name.toLowerCase()];
        return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
      },
    },
    body: response,
  };
}
