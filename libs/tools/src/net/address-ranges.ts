import { embeddedVersion4, inNetwork, parseAddress } from './ip-address.js';

/**
 * Which addresses are no place on the public internet. From IANA's special-purpose registries, and the addresses at
 * which clouds serve credentials to whoever asks.
 */
export interface AddressRange {
  /** In CIDR notation, for messages. */
  readonly range: string;
  readonly what: string;
  /**
   * Whether an administrator can permit a host that leads here. False where no intranet server can be: metadata
   * services, link-local and multicast addresses and those that stand for no machine.
   */
  readonly permittable: boolean;
}

/** A first match wins, so the single addresses of metadata services stand before the networks around them. */
const VERSION_4: readonly (readonly [string, string, boolean])[] = [
  ['169.254.169.254/32', 'cloud metadata', false],
  ['169.254.170.2/32', 'cloud metadata', false],
  ['169.254.170.23/32', 'cloud metadata', false],
  ['100.100.100.200/32', 'cloud metadata', false],
  ['168.63.129.16/32', 'cloud metadata', false],
  ['192.0.0.192/32', 'cloud metadata', false],
  ['0.0.0.0/8', 'this network', false],
  ['10.0.0.0/8', 'private', true],
  ['100.64.0.0/10', 'carrier-grade NAT', true],
  ['127.0.0.0/8', 'loopback', true],
  ['169.254.0.0/16', 'link-local', false],
  ['172.16.0.0/12', 'private', true],
  ['192.0.0.0/24', 'protocol assignments', false],
  ['192.0.2.0/24', 'documentation', false],
  ['192.88.99.0/24', '6to4 relay', false],
  ['192.168.0.0/16', 'private', true],
  ['198.18.0.0/15', 'benchmarking, used by proxies that answer DNS with made-up addresses', true],
  ['198.51.100.0/24', 'documentation', false],
  ['203.0.113.0/24', 'documentation', false],
  ['224.0.0.0/4', 'multicast', false],
  ['240.0.0.0/4', 'reserved', false],
];

const VERSION_6: readonly (readonly [string, string, boolean])[] = [
  ['fd00:ec2::254/128', 'cloud metadata', false],
  ['fd00:ec2::23/128', 'cloud metadata', false],
  ['fd20:ce::254/128', 'cloud metadata', false],
  ['::/128', 'unspecified', false],
  ['::1/128', 'loopback', true],
  ['fc00::/7', 'private (unique local)', true],
  ['fe80::/10', 'link-local', false],
  ['fec0::/10', 'site-local', false],
  ['ff00::/8', 'multicast', false],
  ['64:ff9b:1::/48', 'local-use NAT64', false],
  ['100::/64', 'discard only', false],
  ['2001::/23', 'protocol assignments and Teredo', false],
  ['2001:db8::/32', 'documentation', false],
  ['2002::/16', '6to4', false],
  ['3fff::/20', 'documentation', false],
];

/** IPv6 forms that only wrap an IPv4 address: that one is judged, and the wrapper is named in the message. */
const WRAPPERS: readonly (readonly [string, string])[] = [
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b::/96', 'NAT64'],
];

/** The only part of IPv6 that is handed out for the public internet. */
const GLOBAL_UNICAST = '2000::/3';

const MALFORMED: AddressRange = { range: 'unknown', what: 'not a plain address', permittable: false };

/** What forbids an address, or null for a public one. Whatever cannot be understood is forbidden. */
export function forbiddenRange(address: string): AddressRange | null {
  const bytes = parseAddress(address);
  if (bytes === null) return MALFORMED;
  return bytes.length === 4 ? firstMatch(bytes, VERSION_4) : forbiddenVersion6(bytes);
}

function forbiddenVersion6(bytes: Uint8Array): AddressRange | null {
  for (const [network, name] of WRAPPERS) {
    if (!matches(bytes, network)) continue;
    const inner = firstMatch(embeddedVersion4(bytes, 12), VERSION_4);
    return inner === null ? null : { ...inner, what: `${inner.what}, ${name}` };
  }
  const found = firstMatch(bytes, VERSION_6);
  if (found !== null || matches(bytes, GLOBAL_UNICAST)) return found;
  return { range: '::/0', what: 'reserved', permittable: false };
}

function firstMatch(
  bytes: Uint8Array,
  table: readonly (readonly [string, string, boolean])[],
): AddressRange | null {
  const entry = table.find(([network]) => matches(bytes, network));
  return entry === undefined ? null : { range: entry[0], what: entry[1], permittable: entry[2] };
}

function matches(bytes: Uint8Array, network: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const parsed = parseAddress(base);
  return parsed !== null && inNetwork(bytes, parsed, Number(bits));
}
