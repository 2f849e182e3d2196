import { codeOf, messageOf, WrongStackError } from '@wrongstack/contracts';

export interface ControlRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1/`, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Until the whole answer is there. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface ControlResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined where there was no body. */
  readonly body: unknown;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * One exchange with the server. Follows no redirect: a token goes to the server that was chosen and nowhere else.
 * Resolves for 2xx and 304; throws `control.unreachable`, `control.bad_answer`, or the `code` of the problem.
 */
export async function exchange(
  server: string,
  request: ControlRequest,
  signal: AbortSignal,
): Promise<ControlResponse> {
  const { method = 'GET', path, body, headers = {}, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = request;
  const limit = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, limit]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${server}/v1/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: either,
    });
    text = await readBounded(response, maxBytes);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (codeOf(error) === 'control.bad_answer') throw error;
    throw new WrongStackError(
      'control.unreachable',
      `${server} cannot be reached (${limit.aborted ? `no answer in ${timeoutMs / 1000} s` : reasonOf(error)})`,
      {
        cause: error,
        hint: 'the policy that is held stays in force meanwhile',
      },
    );
  }
  const value = parse(text);
  if ((response.status >= 200 && response.status < 300) || response.status === 304) {
    if (value === NO_JSON)
      throw new WrongStackError(
        'control.bad_answer',
        `${server} answered ${path} with something that is no JSON`,
      );
    return { status: response.status, headers: response.headers, body: value };
  }
  throw problemOf(server, response.status, value);
}

/** The text of an answer as it comes, for as long as it comes. Throws as `exchange` does, also where the connection breaks. */
export async function openStream(
  server: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const accept = { accept: 'text/event-stream', ...headers };
  const unreachable = (error: unknown): unknown =>
    signal.aborted
      ? signal.reason
      : new WrongStackError('control.unreachable', `${server} cannot be reached (${reasonOf(error)})`, {
          cause: error,
        });
  let response: Response;
  try {
    response = await fetch(`${server}/v1/${path}`, { headers: accept, redirect: 'manual', signal });
  } catch (error) {
    throw unreachable(error);
  }
  if (response.status !== 200)
    throw problemOf(server, response.status, parse(await readBounded(response, MAX_BYTES)));
  return (async function* () {
    const decoder = new TextDecoder();
    try {
      // A response's body is a stream of bytes; the types leave its chunks open.
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>)
        yield decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw unreachable(error);
    }
  })();
}

/** The HTTP status behind an error of `exchange`; null = there was no answer. */
export class ControlProblem extends WrongStackError {
  constructor(
    readonly status: number,
    code: string,
    message: string,
    hint?: string,
  ) {
    super(code, message, hint === undefined ? {} : { hint });
  }
}

function problemOf(server: string, status: number, value: unknown): ControlProblem {
  const member = (name: string): string | null => {
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
    return typeof found === 'string' && found !== '' ? found.slice(0, 1000) : null;
  };
  const code = member('code') ?? `control.http_${status}`;
  const message = member('detail') ?? member('title') ?? `${server} answered with status ${status}`;
  return new ControlProblem(status, code, message, status === 401 ? 'wstack login' : undefined);
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  // A response's body is a stream of bytes; the types leave its chunks open.
  const body = response.body as ReadableStream<Uint8Array> | null;
  const reader = body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new WrongStackError('control.bad_answer', `the answer has more than ${maxBytes} bytes`);
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const NO_JSON = Symbol('no JSON');

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return NO_JSON;
  }
}

/** fetch says "fetch failed"; what failed is the cause. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = codeOf(cause);
  return code === 'unexpected' ? messageOf(cause ?? error) : code;
}
