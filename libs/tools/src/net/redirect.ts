import { WrongStackError } from '@wrongstack/contracts';
import { maskUrl } from './mask-url.js';
import type { RequestTarget } from './request-target.js';
import type { HopRequest } from './send-request.js';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What may go to another origin. A list of what is harmless: nobody can list every header that a key may stand in. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
]);

/** The absolute address that a response leads to, or null when it does not redirect. */
export function redirectOf(status: number, location: string | undefined, from: RequestTarget): string | null {
  if (!REDIRECTS.has(status) || location === undefined) return null;
  if (!URL.canParse(location, from.url.href)) {
    throw new WrongStackError(
      'net.bad_redirect',
      `${from.shown} redirects to something that is no valid URL: ${maskUrl(location)}`,
    );
  }
  const next = new URL(location, from.url.href);
  if (next.hash === '') next.hash = from.url.hash;
  return next.href;
}

/** The request as it goes on to the next address. */
export function redirectedRequest(
  status: number,
  request: HopRequest,
  from: RequestTarget,
  to: RequestTarget,
): HopRequest {
  if (from.secure && !to.secure) {
    throw new WrongStackError(
      'net.redirect_downgrade',
      `${from.shown} redirects to ${to.shown}, which is not encrypted: fetch that address itself if it is meant`,
    );
  }
  const sameOrigin = from.url.origin === to.url.origin;
  const asGet = status === 303 ? request.method !== 'HEAD' : request.method === 'POST' && status < 307;
  const body = asGet ? undefined : request.body;
  if (body !== undefined && !sameOrigin) {
    throw new WrongStackError(
      'net.redirect_refused',
      `${from.shown} redirects to ${to.shown}: what was sent is not repeated to another origin`,
    );
  }
  const kept = Object.entries(request.headers).filter(
    ([name]) => (sameOrigin || HARMLESS.has(name)) && !(asGet && name.startsWith('content-')),
  );
  return { method: asGet ? 'GET' : request.method, headers: Object.fromEntries(kept), body };
}
