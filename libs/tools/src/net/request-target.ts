import { isIP } from 'node:net';
import { WrongStackError } from '@wrongstack/contracts';
import { forbiddenRange, type AddressRange } from './address-ranges.js';
import { maskUrl } from './mask-url.js';

/** Where an administrator lists hosts of the intranet, as messages name it. */
export const ALLOW_PRIVATE_HOSTS = 'net.allowPrivateHosts';

const LONGEST_URL = 8192;

/** Names that mean this machine or its cloud's metadata service, whatever a resolver says. */
const LOCAL_NAME = /^(?:localhost|.*\.localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)$/;
const METADATA_NAME =
  /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data|instance-data\.ec2\.internal)$/;

export interface AddressRules {
  /** Hosts, exactly as the administrator wrote them, that may lead to private addresses. */
  readonly allowPrivateHosts: readonly string[];
  /** For tests against loopback servers only; production code never sets it. */
  readonly permitAddress?: ((address: string) => boolean) | undefined;
}

/** One checked address of one request. */
export interface RequestTarget {
  readonly url: URL;
  /** Lower case, without a trailing dot and without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Fit for messages. */
  readonly shown: string;
}

/** Reads an address strictly: http or https, a host, no user part, a real port, and no forbidden literal. */
export function readTarget(address: string, rules: AddressRules): RequestTarget {
  const shown = maskUrl(address);
  if (address.length > LONGEST_URL) {
    throw new WrongStackError(
      'net.bad_url',
      `the URL has ${address.length} characters, more than ${LONGEST_URL}`,
    );
  }
  const url = URL.canParse(address) ? new URL(address) : null;
  // Blanks and control characters inside are dropped or encoded by the parser: what was decided must be what is dialled.
  if (url === null || /[\0-\x20\x7f\\]/.test(address)) {
    throw new WrongStackError('net.bad_url', `${shown} is no valid URL: write it like https://host/path`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new WrongStackError(
      'net.bad_scheme',
      `${shown}: only http and https can be fetched, not ${url.protocol}`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new WrongStackError('net.user_in_url', `${shown} carries a user name or password: leave it out`);
  }
  const host = normaliseHost(url.hostname);
  if (host === '') throw new WrongStackError('net.bad_url', `${shown} names no host`);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (port === 0) throw new WrongStackError('net.bad_url', `${shown}: port 0 cannot be connected to`);
  const target = { url, host, port, secure, shown };
  refuseName(target, rules);
  if (isIP(host) !== 0) checkAddress(target, host, rules);
  return target;
}

export function normaliseHost(hostname: string): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return bare.toLowerCase().replace(/\.+$/, '');
}

/** Throws unless the address is public, or private and permitted for this host. */
export function checkAddress(target: RequestTarget, address: string, rules: AddressRules): void {
  if (rules.permitAddress?.(address) === true) return;
  const range = forbiddenRange(address);
  if (range === null || (range.permittable && isAllowedHost(target.host, rules))) return;
  throw forbidden(target, address, range);
}

function refuseName(target: RequestTarget, rules: AddressRules): void {
  if (METADATA_NAME.test(target.host)) {
    throw new WrongStackError(
      'net.forbidden_address',
      `${target.shown}: ${target.host} is a cloud metadata service, which is never fetched; no setting permits it`,
    );
  }
  if (
    LOCAL_NAME.test(target.host) &&
    rules.permitAddress === undefined &&
    !isAllowedHost(target.host, rules)
  ) {
    throw forbidden(target, target.host, { range: '127.0.0.0/8', what: 'loopback', permittable: true });
  }
}

function isAllowedHost(host: string, rules: AddressRules): boolean {
  return rules.allowPrivateHosts.some((allowed) => normaliseHost(allowed) === host);
}

function forbidden(target: RequestTarget, address: string, range: AddressRange): WrongStackError {
  const where = address === target.host ? address : `${target.host} leads to ${address}, which`;
  const next = range.permittable
    ? `an administrator can permit the host ${target.host} in ${ALLOW_PRIVATE_HOSTS}`
    : 'no setting permits it';
  return new WrongStackError(
    'net.forbidden_address',
    `${target.shown}: ${where} is in ${range.range} (${range.what}), not a public address; ${next}`,
  );
}
