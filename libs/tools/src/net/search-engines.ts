import { cutText, wellFormed } from '../text/well-formed.js';
import { decodeEntities } from './html-entities.js';

/** How a search service is asked and what it answers. */
export type SearchFormat = 'searxng' | 'brave';

export interface SearchEndpoint {
  /** Of the service's JSON interface: `https://search.example/search`, `https://api.search.brave.com/res/v1/web/search`. */
  readonly url: string;
  readonly format: SearchFormat;
  /** Name of the credential to send, as `wstack auth` knows it. */
  readonly credential?: string;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface SearchRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MOST_TITLE = 200;
const MOST_SNIPPET = 400;
const MOST_URL = 1_000;

export function searchRequest(
  endpoint: SearchEndpoint,
  query: string,
  limit: number,
  key: string | undefined,
): SearchRequest {
  const url = new URL(endpoint.url);
  url.searchParams.set('q', query);
  switch (endpoint.format) {
    case 'searxng':
      url.searchParams.set('format', 'json');
      return { url: url.href, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } };
    case 'brave':
      url.searchParams.set('count', String(limit));
      return { url: url.href, headers: key === undefined ? {} : { 'x-subscription-token': key } };
  }
}

/** The hits of an answer, or null when it has another shape. Whatever is odd in one hit drops that hit alone. */
export function readHits(format: SearchFormat, answer: unknown, limit: number): readonly SearchHit[] | null {
  const list = format === 'searxng' ? field(answer, 'results') : field(field(answer, 'web') ?? {}, 'results');
  if (format === 'brave' && list === undefined && typeof answer === 'object' && answer !== null) return [];
  if (!Array.isArray(list)) return null;
  const hits: SearchHit[] = [];
  for (const item of list as readonly unknown[]) {
    const url = field(item, 'url');
    if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || url.length > MOST_URL) continue;
    hits.push({
      title: plain(field(item, 'title'), MOST_TITLE),
      url,
      snippet: plain(field(item, format === 'searxng' ? 'content' : 'description'), MOST_SNIPPET),
    });
    if (hits.length === limit) break;
  }
  return hits;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** One line without tags. */
function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const text = decodeEntities(value.slice(0, 4 * most).replace(/<[^<>]{0,200}>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > most ? `${wellFormed(cutText(text, most))}…` : wellFormed(text);
}
