import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly message: string;
}

/** Names of this machine and nothing else: a page of another site that resolves to us still sends its own name. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Every program of a machine can reach a port, and every page in a browser can be made to. So the names in Host and
 * Origin must be loopback's, or one of those that the server is reached by (`others`: hostnames).
 */
export function siteRefusal(
  { host, origin }: IncomingHttpHeaders,
  others: readonly string[] = [],
): Refusal | null {
  if (!isOurs(`http://${host ?? ''}`, others))
    return { status: 403, message: 'the Host header names another machine' };
  if (origin !== undefined && !isOurs(origin, others))
    return { status: 403, message: 'the Origin header names another site' };
  return null;
}

/** The token of `Authorization: Bearer …`; empty = there is none. */
export function bearerIn({ authorization = '' }: IncomingHttpHeaders): string {
  const [scheme = '', token = ''] = authorization.split(' ');
  return scheme.toLowerCase() === 'bearer' ? token : '';
}

/** Digests have one length, so the comparison takes one time. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function isOurs(url: string, others: readonly string[]): boolean {
  try {
    const { hostname, protocol, username, password } = new URL(url);
    const known = LOOPBACK.has(hostname) || others.includes(hostname);
    return /^https?:$/.test(protocol) && username === '' && password === '' && known;
  } catch {
    return false;
  }
}
