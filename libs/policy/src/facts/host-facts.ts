import type { HostFact } from '@wrongstack/contracts';

/** What one claimed URL talks to. A `file:` URL is no host but a path that is read. */
export type ReadUrl =
  | {
      readonly kind: 'host';
      readonly scheme: string;
      readonly host: string | null;
      readonly port: number | null;
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'none' };

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ftp: 21,
  ftps: 990,
  ssh: 22,
  sftp: 22,
  scp: 22,
  git: 9418,
  rsync: 873,
  redis: 6379,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mongodb: 27017,
  ldap: 389,
  ldaps: 636,
  smtp: 25,
};

/** Carry their data in themselves. */
const HOSTLESS: ReadonlySet<string> = new Set(['data', 'blob', 'about', 'javascript']);

const UNKNOWN_HOST: Extract<ReadUrl, { kind: 'host' }> = {
  kind: 'host',
  scheme: 'unknown',
  host: null,
  port: null,
};

/** Read by a URL parser, as the tool's own client does: never by looking for slashes. What does not parse is unknown. */
export function readUrl(text: string): ReadUrl {
  const trimmed = text.trim();
  const parsed = parse(hasScheme(trimmed) ? trimmed : `http://${trimmed}`);
  if (parsed === null) return UNKNOWN_HOST;
  const scheme = parsed.protocol.slice(0, -1).toLowerCase();
  if (scheme === 'file') return readFileUrl(parsed);
  if (HOSTLESS.has(scheme)) return { kind: 'none' };
  const host = normaliseHost(parsed.hostname);
  if (host === null) return { ...UNKNOWN_HOST, scheme };
  return {
    kind: 'host',
    scheme,
    host,
    port: parsed.port === '' ? (DEFAULT_PORTS[scheme] ?? null) : Number(parsed.port),
  };
}

export function hostFact(url: Extract<ReadUrl, { kind: 'host' }>, command: number | null): HostFact {
  return { scheme: url.scheme, host: url.host, port: url.port, command };
}

/**
 * Lower case, punycode, no brackets, no trailing dot, short IPv4 forms (`127.1`, `0x7f000001`) spelt out. Only http-like
 * schemes get this from the parser itself, so every host goes through one of those again.
 */
export function normaliseHost(host: string): string | null {
  if (host === '') return null;
  const parsed = parse(`http://${decoded(host)}/`);
  if (parsed === null || parsed.username !== '' || parsed.port !== '' || parsed.pathname !== '/') return null;
  const name = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  return name === '' ? null : name;
}

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:\/\/|(?!\d+(?:\/|$)))/i.test(text) && !/^[a-z0-9.-]+\.[a-z]+:/i.test(text);
}

function readFileUrl(parsed: URL): ReadUrl {
  if (parsed.hostname !== '' && parsed.hostname !== 'localhost') {
    return { kind: 'host', scheme: 'file', host: normaliseHost(parsed.hostname), port: null };
  }
  try {
    return { kind: 'file', path: decodeURIComponent(parsed.pathname) };
  } catch {
    return UNKNOWN_HOST;
  }
}

function decoded(host: string): string {
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
