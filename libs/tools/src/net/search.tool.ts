import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { filledText, optionalInteger, rawInput, shown } from '../read-input.js';
import { cutText, wellFormed } from '../text/well-formed.js';
import { guardedFetch, type NetworkGuard } from './guarded-fetch.js';
import { maskUrl } from './mask-url.js';
import { readHits, searchRequest, type SearchEndpoint, type SearchHit } from './search-engines.js';

export interface SearchInput {
  readonly query: string;
  readonly limit?: number;
}

export interface SearchToolOptions {
  /** Missing = the tool says which setting to set. */
  readonly endpoint?: SearchEndpoint;
  readonly guard?: NetworkGuard;
}

/** Where an administrator or a person names the service, as messages name it. */
export const SEARCH_SETTING = 'net.search';

const DEFAULT_HITS = 8;
const MOST_HITS = 20;
const MOST_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

export function createSearchTool(options: SearchToolOptions = {}): Tool<SearchInput, RichToolOutput> {
  const { endpoint } = options;
  const credential = endpoint?.credential;
  return {
    name: 'search',
    description: 'Search the web. Gives titles, URLs and snippets; read a hit with fetch.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 400 },
        limit: { type: 'integer', minimum: 1, maximum: MOST_HITS },
      },
      required: ['query'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: false,
    riskTier: 'standard',
    capabilities: ['net.outbound'],
    category: 'Network',
    timeoutMs: TIMEOUT_MS + 5_000,
    maxOutputBytes: 40_000,
    estimatedDurationMs: 1_500,
    ...(credential === undefined ? {} : { credentials: [credential] }),
    execute: async (input, _ctx: Context, opts) => execute(input, opts, options),
    describeCall: (_input, ctx) => ({
      paths: [],
      command: null,
      cwd: ctx.cwd,
      urls: endpoint === undefined ? [] : [endpoint.url],
    }),
    presentCall: (input) => ({ card: 'generic', kind: 'search', title: shown(input, 'query', 'search') }),
    presentResult: (input, result) => {
      const count = hitCount(result.meta);
      const title = shown(input, 'query', 'search');
      return {
        card: 'generic',
        title: count === undefined ? title : `${title} · ${count} hits`,
        content: result.content,
      };
    },
  };
}

async function execute(
  input: SearchInput,
  opts: ToolOptions,
  options: SearchToolOptions,
): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const query = wellFormed(cutText(filledText(raw, 'query'), 400));
  const limit = optionalInteger(raw, 'limit', { min: 1, max: MOST_HITS, fallback: DEFAULT_HITS });
  opts.signal.throwIfAborted();
  const { endpoint } = options;
  if (endpoint === undefined) {
    throw new WrongStackError(
      'search.not_configured',
      `no search service is set: name a SearXNG or Brave endpoint in ${SEARCH_SETTING} ({ url, format, credential })`,
    );
  }
  const key = endpoint.credential === undefined ? undefined : opts.credentials?.[endpoint.credential];
  const answer = await ask(endpoint, searchRequest(endpoint, query, limit, key), opts, options.guard ?? {});
  const hits = readHits(endpoint.format, answer, limit);
  if (hits === null) throw oddAnswer(endpoint, `it is no ${endpoint.format} result`);
  return { content: [{ type: 'text', text: listed(hits) }], meta: { hits: hits.length } };
}

async function ask(
  endpoint: SearchEndpoint,
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  opts: ToolOptions,
  guard: NetworkGuard,
): Promise<unknown> {
  const response = await guardedFetch(
    request.url,
    {
      signal: opts.signal,
      headers: { accept: 'application/json', ...request.headers },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      // What was decided is this endpoint; a service that moved has to be set anew.
      follow: (from, to) => from.origin === to.origin,
    },
    guard,
  );
  if (response.status !== 200) {
    response.body.cancel();
    throw oddAnswer(endpoint, `it answered ${response.status} ${response.statusText.slice(0, 60)}`.trim());
  }
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw oddAnswer(endpoint, 'it did not answer with JSON', error);
  }
}

function oddAnswer(endpoint: SearchEndpoint, what: string, cause?: unknown): WrongStackError {
  return new WrongStackError(
    'search.failed',
    `the search service ${maskUrl(endpoint.url)} cannot be used: ${what}; check ${SEARCH_SETTING}`,
    cause === undefined ? {} : { cause },
  );
}

function listed(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return '[no hits]';
  return hits
    .map(({ title, url, snippet }, index) => {
      const lines = [`${index + 1}. ${title === '' ? url : title}`, `   ${maskUrl(url)}`];
      if (snippet !== '') lines.push(`   ${snippet}`);
      return lines.join('\n');
    })
    .join('\n');
}

function hitCount(meta: unknown): number | undefined {
  if (typeof meta !== 'object' || meta === null || !('hits' in meta)) return undefined;
  return typeof meta.hits === 'number' ? meta.hits : undefined;
}
