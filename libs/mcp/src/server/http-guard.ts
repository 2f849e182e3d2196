import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

/** Names of this machine and nothing else: a page of another site that resolves to us still sends its own name. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Who may talk to a server on loopback: every program of this machine can reach the port, and every page in a browser can
 * be made to. So the names in Host and Origin must be loopback's, and a bearer must be the one that was handed out.
 */
export function refusalOf({ headers }: IncomingMessage, token: string | null): Refusal | null {
  if (!isLoopback(`http://${headers.host ?? ''}`)) {
    return { status: 403, message: 'the Host header names another machine' };
  }
  if (headers.origin !== undefined && !isLoopback(headers.origin)) {
    return { status: 403, message: 'the Origin header names another site' };
  }
  if (token === null) return null;
  const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer' || !sameText(given, token)) {
    return { status: 401, message: 'a bearer token is needed: it was printed when the server started' };
  }
  return null;
}

function isLoopback(url: string): boolean {
  try {
    const { hostname, protocol, username, password } = new URL(url);
    return /^https?:$/.test(protocol) && username === '' && password === '' && LOOPBACK.has(hostname);
  } catch {
    return false;
  }
}

/** Digests have one length, so the comparison takes one time. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
