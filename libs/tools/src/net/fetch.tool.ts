import type { Context, RichToolOutput, Tool, ToolOptions, ToolStreamEvent } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import { badInput, filledText, optionalFlag, optionalInteger, rawInput, shown } from '../read-input.js';
import { fetchMeta, fetchResult, headResult, redirectResult } from './fetch-result.js';
import { guardedFetch, type GuardedRequest, type NetworkGuard } from './guarded-fetch.js';
import { maskUrl } from './mask-url.js';

export interface FetchInput {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD';
  /** The page's source instead of its text. */
  readonly raw?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

type FetchEvents = AsyncGenerator<ToolStreamEvent<RichToolOutput>, void, undefined>;

const MOST_BYTES = 8 * 1024 * 1024;
const DEFAULT_CHARACTERS = 30_000;
const MOST_CHARACTERS = 100_000;
const TIMEOUT_MS = 30_000;
const METRIC_EVERY_BYTES = 256 * 1024;

/**
 * Reads only: no method that changes something, no headers and no body, so what a call can do is in the URL that a
 * person sees. A redirect is followed on the same host alone; another host is another decision.
 */
export function createFetchTool(
  options: { readonly guard?: NetworkGuard } = {},
): Tool<FetchInput, RichToolOutput> {
  const start = (input: FetchInput, _ctx: Context, opts: ToolOptions): FetchEvents =>
    run(input, opts, options.guard ?? {});
  return {
    name: 'fetch',
    description:
      'Get a URL (http, https). HTML comes as readable text; raw gives the source. HEAD gives headers only.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', minLength: 1 },
        method: { type: 'string', enum: ['GET', 'HEAD'] },
        raw: { type: 'boolean' },
        offset: { type: 'integer', minimum: 0, description: 'First character' },
        limit: { type: 'integer', minimum: 1, maximum: MOST_CHARACTERS, description: 'Default 30000' },
      },
      required: ['url'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: false,
    riskTier: 'standard',
    capabilities: ['net.outbound'],
    category: 'Network',
    timeoutMs: TIMEOUT_MS + 5_000,
    maxOutputBytes: 320_000,
    estimatedDurationMs: 2_000,
    execute: async (input, ctx, opts) => {
      for await (const event of start(input, ctx, opts)) if (event.type === 'final') return event.output;
      throw new WrongStackError('internal.no_final', 'fetch ended without a result');
    },
    executeStream: start,
    describeCall: (input, ctx) => ({ paths: [], command: null, cwd: ctx.cwd, urls: [shown(input, 'url')] }),
    presentCall: (input) => ({ card: 'generic', kind: 'fetch', title: cardTitle(input) }),
    presentResult: (input, result) => {
      const meta = fetchMeta(result.meta);
      const title =
        meta === undefined ? cardTitle(input) : `${meta.url} · ${meta.status} · ${meta.bytes} bytes`;
      return { card: 'generic', title, content: result.content };
    },
  };
}

function cardTitle(input: unknown): string {
  const url = maskUrl(shown(input, 'url'));
  return url === '' ? 'fetch' : url;
}

async function* run(input: FetchInput, opts: ToolOptions, guard: NetworkGuard): FetchEvents {
  const raw = rawInput(input);
  const url = filledText(raw, 'url');
  const method = readMethod(raw['method']);
  const view = {
    raw: optionalFlag(raw, 'raw', false),
    offset: optionalInteger(raw, 'offset', { min: 0, max: MOST_BYTES, fallback: 0 }),
    limit: optionalInteger(raw, 'limit', { min: 1, max: MOST_CHARACTERS, fallback: DEFAULT_CHARACTERS }),
  };
  yield { type: 'log', text: `${method} ${maskUrl(url)}` };
  const hops: string[] = [];
  const request: GuardedRequest = {
    signal: opts.signal,
    method,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
    overflow: 'truncate',
    headers: { accept: 'text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.5' },
    follow: isSameHost,
    onRedirect: (where) => hops.push(where),
  };
  const response = await guardedFetch(url, request, guard);
  try {
    for (const hop of hops) yield { type: 'log', text: `redirected to ${hop}` };
    if (response.location !== undefined) {
      yield { type: 'final', output: redirectResult(response, response.location) };
      return;
    }
    if (method === 'HEAD') {
      yield { type: 'final', output: headResult(response) };
      return;
    }
    const parts: Uint8Array[] = [];
    let told = 0;
    for await (const part of response.body) {
      parts.push(part);
      if (response.body.bytes - told < METRIC_EVERY_BYTES) continue;
      told = response.body.bytes;
      yield { type: 'metric', data: { bytes: told } };
    }
    yield { type: 'metric', data: { bytes: response.body.bytes, status: response.status } };
    yield { type: 'final', output: await fetchResult(response, Buffer.concat(parts), view, opts.signal) };
  } finally {
    response.body.cancel();
  }
}

function readMethod(value: unknown): 'GET' | 'HEAD' {
  if (value === undefined || value === 'GET') return 'GET';
  if (value === 'HEAD') return 'HEAD';
  throw badInput('method', 'must be GET or HEAD');
}

/** The same origin, or the usual step from http to https on the standard ports. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return (
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === ''
  );
}
