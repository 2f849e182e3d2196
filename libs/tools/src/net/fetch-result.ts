import { createHash } from 'node:crypto';
import type { RichToolOutput } from '@wrongstack/contracts';
import { cutText, wellFormed } from '../text/well-formed.js';
import type { GuardedResponse } from './guarded-fetch.js';
import { htmlToText } from './html-text.js';
import { maskUrl } from './mask-url.js';
import { decodeBody, kindOfBody, readMediaType, type MediaType } from './media-type.js';

/** Which part of the text the model asked for. */
export interface FetchView {
  readonly raw: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Durable data of a fetch, for its card. */
export interface FetchMeta {
  readonly status: number;
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
  readonly redirects: number;
  /** The body went on behind the limit of what is read. */
  readonly cut: boolean;
}

/** What a body says, as text for the model. Never holds both the bytes and a second copy of them longer than needed. */
export async function fetchResult(
  response: GuardedResponse,
  bytes: Uint8Array,
  view: FetchView,
  signal: AbortSignal,
): Promise<RichToolOutput> {
  const media = readMediaType(response.headers['content-type']);
  const meta: FetchMeta = {
    status: response.status,
    url: maskUrl(response.url),
    type: media.type,
    bytes: bytes.length,
    redirects: response.redirects,
    cut: response.body.truncated,
  };
  const head = headline(response, meta);
  const { text, note } = await readable(response, bytes, media, { ...view, signal });
  const blocks = [head, text, note].filter((part) => part !== '');
  return { content: blocks.map((part) => ({ type: 'text' as const, text: part })), meta };
}

/** Status and headers without a body. */
export function headResult(response: GuardedResponse): RichToolOutput {
  const media = readMediaType(response.headers['content-type']);
  const length = response.headers['content-length'];
  const facts = [
    `${response.status} ${response.statusText}`.trim(),
    media.type,
    length === undefined ? '' : `${length.slice(0, 20)} bytes`,
    lastModified(response),
    response.redirects === 0 ? '' : `at ${maskUrl(response.url)}`,
  ];
  const meta: FetchMeta = {
    status: response.status,
    url: maskUrl(response.url),
    type: media.type,
    bytes: 0,
    redirects: response.redirects,
    cut: false,
  };
  return { content: [{ type: 'text', text: `[${facts.filter((fact) => fact !== '').join('; ')}]` }], meta };
}

/** A redirect that leads to another host: a decision about one host says nothing about another. */
export function redirectResult(response: GuardedResponse, location: string): RichToolOutput {
  const shown = maskUrl(location);
  const text = `[${response.status} redirects to ${shown}, another origin, which was not fetched: call fetch with that URL if it is wanted]`;
  const meta: FetchMeta = {
    status: response.status,
    url: maskUrl(response.url),
    type: '',
    bytes: 0,
    redirects: response.redirects,
    cut: false,
  };
  return { content: [{ type: 'text', text }], meta };
}

export function fetchMeta(meta: unknown): FetchMeta | undefined {
  if (typeof meta !== 'object' || meta === null) return undefined;
  const { status, bytes, url, type } = meta as Partial<Record<keyof FetchMeta, unknown>>;
  const known =
    typeof status === 'number' &&
    typeof bytes === 'number' &&
    typeof url === 'string' &&
    typeof type === 'string';
  return known ? { status, bytes, url, type, redirects: 0, cut: false } : undefined;
}

function headline(response: GuardedResponse, meta: FetchMeta): string {
  const facts: string[] = [];
  if (response.status !== 200) facts.push(`${response.status} ${response.statusText}`.trim());
  if (response.redirects > 0) facts.push(`from ${meta.url}`);
  return facts.length === 0 ? '' : `[${facts.join('; ')}]`;
}

function lastModified(response: GuardedResponse): string {
  const header = response.headers['last-modified'];
  return header === undefined ? '' : `modified ${header.slice(0, 40)}`;
}

async function readable(
  response: GuardedResponse,
  bytes: Uint8Array,
  media: MediaType,
  view: FetchView & { readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly note: string }> {
  if (bytes.length === 0) return { text: '', note: '[the body is empty]' };
  const kind = kindOfBody(media, bytes.subarray(0, 4096));
  if (kind === 'binary') return { text: '', note: `[${describeBinary(response, bytes, media)}]` };
  const decoded = decodeBody(bytes, media, kind);
  const whole = kind === 'html' && !view.raw ? await asPage(decoded, response.url, view.signal) : decoded;
  if (whole === '') return { text: '', note: '[the page has no text; raw shows its source]' };
  return part(whole, view, response.body.truncated ? bytes.length : undefined);
}

async function asPage(html: string, url: string, signal: AbortSignal): Promise<string> {
  const { title, text } = await htmlToText(html, url, signal);
  return title === '' || text.startsWith(`# ${title}`) ? text : `${title}\n\n${text}`.trim();
}

function part(
  whole: string,
  view: FetchView,
  cutAtBytes: number | undefined,
): { readonly text: string; readonly note: string } {
  const text = wellFormed(cutText(whole.slice(view.offset), view.limit));
  const end = view.offset + text.length;
  if (text === '')
    return { text: '', note: `[nothing at offset ${view.offset}: the text has ${whole.length} characters]` };
  const notes: string[] = [];
  if (view.offset > 0 || end < whole.length) {
    const more = end < whole.length ? `; go on with offset ${end}` : '';
    notes.push(`characters ${view.offset}-${end} of ${whole.length}${more}`);
  }
  if (cutAtBytes !== undefined) notes.push(`only the first ${cutAtBytes} bytes were read; more follow`);
  return { text, note: notes.length === 0 ? '' : `[${notes.join('; ')}]` };
}

function describeBinary(response: GuardedResponse, bytes: Uint8Array, media: MediaType): string {
  const type = media.type === '' ? 'binary content' : `binary content (${media.type.slice(0, 100)})`;
  if (response.body.truncated) return `${type}, more than ${bytes.length} bytes`;
  return `${type}, ${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
}
