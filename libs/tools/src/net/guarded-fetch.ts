import type { IncomingMessage } from 'node:http';
import { WrongStackError } from '@wrongstack/contracts';
import { ACCEPTED_CODINGS, BoundedBody, readCoding } from './bounded-body.js';
import { redirectedRequest, redirectOf } from './redirect.js';
import { readTarget, type AddressRules, type RequestTarget } from './request-target.js';
import { systemResolver, type ResolveHost } from './resolve-host.js';
import { sendRequest, type HopOptions, type HopRequest } from './send-request.js';

/** What the host sets once for all requests of a tool. */
export interface NetworkGuard {
  /** Hosts, exactly, that may lead to private addresses: an intranet that an administrator permits. */
  readonly allowPrivateHosts?: readonly string[];
  readonly resolve?: ResolveHost;
  /** Tests against loopback servers only. */
  readonly permitAddress?: (address: string) => boolean;
  /** Tests with a certificate of their own only. */
  readonly ca?: string;
}

export interface GuardedRequest {
  readonly signal: AbortSignal;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** From start to the last byte; 30 s when missing. */
  readonly timeoutMs?: number;
  /** Of the body, decompressed; 10 MiB when missing. */
  readonly maxBytes?: number;
  /** What happens at `maxBytes`; `error` when missing. */
  readonly overflow?: 'error' | 'truncate';
  /** 5 when missing, and at most; 0 hands a redirect back as it is. */
  readonly maxRedirects?: number;
  /** Asked before each redirect is followed; false hands the redirect back, with `location`. */
  readonly follow?: (from: URL, to: URL) => boolean;
  /** Told before each redirect is followed; the address is fit to be shown. */
  readonly onRedirect?: (shown: string) => void;
}

export interface GuardedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from, redirects followed. May hold keys: show it through `maskUrl`. */
  readonly url: string;
  readonly redirects: number;
  /** The absolute address of a redirect that was not followed. */
  readonly location: string | undefined;
  readonly body: BoundedBody;
  /** The whole body. */
  bytes(): Promise<Uint8Array>;
  /** The whole body as UTF-8. */
  text(): Promise<string>;
}

const MOST_REDIRECTS = 5;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_BYTES = 10 * 1024 * 1024;
const USER_AGENT = 'wrongstack/0.1';

/** Headers that route, frame or upgrade a request: they are this client's own business. */
const RESERVED_HEADER =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|via|forwarded|accept-encoding|proxy-.*|x-forwarded-.*|sec-.*)$/;

/**
 * The one way out to the network for tools. Scheme, literal addresses, every answer of the name server and the address
 * of the connected socket are checked, for each redirect anew; proxies of the environment are not used; body, time,
 * redirects and decompression are bounded. Read the body to its end or `body.cancel()` it.
 */
export async function guardedFetch(
  address: string,
  request: GuardedRequest,
  guard: NetworkGuard = {},
): Promise<GuardedResponse> {
  const rules: AddressRules = {
    allowPrivateHosts: guard.allowPrivateHosts ?? [],
    permitAddress: guard.permitAddress,
  };
  const deadline = startDeadline(request, address, rules);
  const options: HopOptions = {
    rules,
    resolve: guard.resolve ?? systemResolver,
    signal: deadline.signal,
    ca: guard.ca,
  };
  try {
    return await followed(address, request, options, deadline.stop);
  } catch (error) {
    deadline.stop();
    throw error;
  }
}

async function followed(
  address: string,
  request: GuardedRequest,
  options: HopOptions,
  release: () => void,
): Promise<GuardedResponse> {
  const limit = Math.min(request.maxRedirects ?? MOST_REDIRECTS, MOST_REDIRECTS);
  let target = readTarget(address, options.rules);
  let hop = firstHop(request);
  for (let redirects = 0; ; redirects += 1) {
    const response = await sendRequest(target, hop, options);
    const status = response.statusCode ?? 0;
    const location = locationOf(response, status, target);
    if (location === null || limit === 0 || request.follow?.(target.url, new URL(location)) === false) {
      return respond(response, { target, redirects, location: location ?? undefined }, request, {
        signal: options.signal,
        release,
      });
    }
    // Its body is of no interest, and its connection is closed before the next one opens.
    response.destroy();
    if (redirects === limit) {
      throw new WrongStackError(
        'net.too_many_redirects',
        `${target.shown}: more than ${limit} redirects in a row`,
      );
    }
    const next = readTarget(location, options.rules);
    hop = redirectedRequest(status, hop, target, next);
    request.onRedirect?.(next.shown);
    target = next;
  }
}

function locationOf(response: IncomingMessage, status: number, target: RequestTarget): string | null {
  try {
    return redirectOf(status, response.headers.location, target);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function firstHop(request: GuardedRequest): HopRequest {
  const headers: Record<string, string> = { 'user-agent': USER_AGENT, accept: '*/*' };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) || /[\0-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new WrongStackError(
        'net.bad_header',
        `the header ${JSON.stringify(name.slice(0, 60))} is not valid`,
      );
    }
    if (RESERVED_HEADER.test(lower)) {
      throw new WrongStackError(
        'net.bad_header',
        `the header ${lower} is set by the client itself: leave it out`,
      );
    }
    headers[lower] = value;
  }
  headers['accept-encoding'] = ACCEPTED_CODINGS;
  const { body } = request;
  return {
    method: request.method ?? 'GET',
    headers,
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  };
}

function respond(
  response: IncomingMessage,
  found: {
    readonly target: RequestTarget;
    readonly redirects: number;
    readonly location: string | undefined;
  },
  request: GuardedRequest,
  held: { readonly signal: AbortSignal; readonly release: () => void },
): GuardedResponse {
  const { shown, url } = found.target;
  const limits = {
    maxBytes: request.maxBytes ?? DEFAULT_BYTES,
    overflow: request.overflow ?? 'error',
    signal: held.signal,
    shown,
  };
  let body: BoundedBody;
  try {
    // A response without a body may still name the coding that one would have.
    const coding = isBodiless(request, response)
      ? 'identity'
      : readCoding(response.headers['content-encoding'], shown);
    body = new BoundedBody(response, coding, limits, held.release);
  } catch (error) {
    response.destroy();
    throw error;
  }
  const bytes = async (): Promise<Uint8Array> => {
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    return Buffer.concat(parts);
  };
  return {
    status: response.statusCode ?? 0,
    statusText: (response.statusMessage ?? '').slice(0, 100),
    headers: flatHeaders(response),
    url: url.href,
    redirects: found.redirects,
    location: found.location,
    body,
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
  };
}

function isBodiless(request: GuardedRequest, response: IncomingMessage): boolean {
  return request.method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304;
}

function flatHeaders(response: IncomingMessage): Readonly<Record<string, string>> {
  const flat = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(flat) as Record<string, string>; // both halves of each pair are strings
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** One clock for all of it: resolving, connecting, every redirect and the body. */
function startDeadline(request: GuardedRequest, address: string, rules: AddressRules): Deadline {
  const { shown } = readTarget(address, rules);
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new WrongStackError('net.timeout', `${shown}: no complete answer within ${timeoutMs} ms`),
    );
  }, timeoutMs);
  const aborted = (): void => {
    controller.abort(new WrongStackError('tool.aborted', `${shown}: interrupted`));
  };
  request.signal.addEventListener('abort', aborted, { once: true });
  if (request.signal.aborted) aborted();
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', aborted);
    },
  };
}
