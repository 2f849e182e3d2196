import { WrongStackError } from '@wrongstack/contracts';

/** Where requests go. `host` is what messages show. */
export interface Endpoint {
  readonly url: URL;
  readonly host: string;
  readonly loopback: boolean;
}

/**
 * The address of one format's requests below a base URL. A key must not travel in clear text, so `http:` is for
 * loopback alone unless the configuration says otherwise.
 */
export function endpointOf(baseUrl: string, path: string, allowInsecureHttp: boolean): Endpoint {
  const refuse = (problem: string): WrongStackError =>
    new WrongStackError('provider.bad_base_url', `provider base URL ${problem}`, {
      path: '/provider/baseUrl',
      hint: 'use https://host[/path]',
    });
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw refuse('is not a URL');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse(`has the scheme ${url.protocol}`);
  // Not shown: the part before the @ is a secret.
  if (url.username !== '' || url.password !== '') throw refuse(`for ${url.host} holds credentials`);
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback && !allowInsecureHttp) {
    throw refuse(`http://${url.host} would send the key in clear text`);
  }
  const base = url.pathname.replace(/\/+$/, '');
  const firstSegment = path.slice(0, path.indexOf('/', 1));
  // Both https://host and https://host/v1 are in use for formats whose path starts with /v1.
  url.pathname =
    firstSegment !== '' && base.endsWith(firstSegment) ? base + path.slice(firstSegment.length) : base + path;
  url.hash = '';
  return { url, host: url.host, loopback };
}

/** `URL` has already brought the host into its canonical form: `0x7f.1` is `127.0.0.1` by now. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
