import type { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';

/** Where browsers have the console from. */
export interface ConsoleOrigin {
  /** As an Origin header says it. */
  readonly origin: string;
  /** False on this machine's loopback over plain http, and nowhere else. */
  readonly secure: boolean;
}

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * The public address where that is https, whatever a Host header says; without one, what a browser on this machine calls us. Null = a cookie would travel
 * in the clear, or somebody else's name leads here: nobody gets a session.
 */
export function consoleOrigin(
  { url }: Pick<ControlPlane, 'url'>,
  headers: RequestHeaders,
): ConsoleOrigin | null {
  const address = new URL(url);
  if (address.protocol === 'https:') return { origin: address.origin, secure: true };
  const { host } = headers;
  if (!LOOPBACK.test(address.host) || typeof host !== 'string' || !LOOPBACK.test(host)) return null;
  return { origin: new URL(`http://${host}`).origin, secure: false };
}

export function requireConsoleOrigin(
  control: Pick<ControlPlane, 'url'>,
  headers: RequestHeaders,
): ConsoleOrigin {
  const found = consoleOrigin(control, headers);
  if (found !== null) return found;
  throw new ApiProblem(
    403,
    'session.insecure',
    'people sign in over https: set WRONGSTACK_URL to the https address of this API and open the console there',
  );
}

/** Something is done in somebody's name: the page that asks must be ours. Throws a 403 problem. */
export function requireOwnPage({ origin }: ConsoleOrigin, headers: RequestHeaders): void {
  if (headers['origin'] === origin) return;
  throw new ApiProblem(
    403,
    'session.origin',
    `this must be asked for by the console's own page at ${origin}, and not by another one`,
  );
}

/** Even what is only read is read by our own page, or by a person who follows no other page's link. Old browsers do not say. */
export function requireNoOtherPage(headers: RequestHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new ApiProblem(403, 'session.origin', "this must be asked for by the console's own page");
}
