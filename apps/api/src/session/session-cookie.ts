import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ConsoleOrigin, RequestHeaders } from './console-origin.js';

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** What a cookie of ours is for. `sign-in` comes back from another site, where the browser must send it along. */
export type CookiePurpose = 'session' | 'sign-in';

const PLACES: Readonly<Record<CookiePurpose, { name: string; path: string; sameSite: string }>> = {
  session: { name: 'wrongstack', path: '/v1', sameSite: 'Strict' },
  'sign-in': { name: 'wrongstack-sign-in', path: '/v1/session', sameSite: 'Lax' },
};

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Null where there is none, and where there are two: one of them is somebody else's. */
export function cookieIn(
  headers: RequestHeaders,
  purpose: CookiePurpose,
  { secure }: ConsoleOrigin,
): string | null {
  const { cookie } = headers;
  if (typeof cookie !== 'string') return null;
  const start = `${nameOf(purpose, secure)}=`;
  const values = cookie
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(start))
    .map((one) => one.slice(start.length));
  const [value = ''] = values;
  return values.length === 1 && value !== '' ? value : null;
}

/** The secret of a session's cookie, or null for anything else. */
export function sessionSecretIn(headers: RequestHeaders, origin: ConsoleOrigin): string | null {
  const value = cookieIn(headers, 'session', origin);
  return value !== null && SECRET.test(value) ? value : null;
}

/**
 * A Set-Cookie. Over https its name says `__Host-`: no neighbour under the same domain can set it, which is worth more than a path, and excludes one.
 * `value` null takes it away.
 */
export function setCookie(
  purpose: CookiePurpose,
  value: string | null,
  seconds: number,
  { secure }: ConsoleOrigin,
): string {
  const { path, sameSite } = PLACES[purpose];
  return [
    `${nameOf(purpose, secure)}=${value ?? ''}`,
    `Path=${secure ? '/' : path}`,
    `Max-Age=${value === null ? 0 : seconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}

/** What a page of ours sends along with everything it does. Another page can make a browser send the cookie, and cannot know this. */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('wrongstack csrf').digest('base64url');
}

/** In constant time. */
export function isCsrfToken(secret: string, given: string | string[] | undefined): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(csrfTokenOf(secret)), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function nameOf(purpose: CookiePurpose, secure: boolean): string {
  return `${secure ? '__Host-' : ''}${PLACES[purpose].name}`;
}
