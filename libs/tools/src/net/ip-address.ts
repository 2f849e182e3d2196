import { isIP } from 'node:net';

/**
 * The bytes of an address (4 or 16), or null for anything that is no plain address. An IPv6 address with a zone
 * (`fe80::1%eth0`) is null too: what it means depends on this machine's interfaces, so nobody may judge it by its bits.
 */
export function parseAddress(text: string): Uint8Array | null {
  if (text.includes('%')) return null;
  switch (isIP(text)) {
    case 4:
      return Uint8Array.from(text.split('.'), Number);
    case 6:
      return parseVersion6(text);
    default:
      return null;
  }
}

/** `text` is known to be valid, so only its spelling has to be unfolded: `::`, and dotted decimals at the end. */
function parseVersion6(text: string): Uint8Array {
  const [before = '', after] = text.split('::');
  const head = groupsOf(before);
  const tail = after === undefined ? [] : groupsOf(after);
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<number>(zeros).fill(0), ...tail];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

/** Whether the first `bits` bits of both are the same. Addresses of different length never match. */
export function inNetwork(address: Uint8Array, network: Uint8Array, bits: number): boolean {
  if (address.length !== network.length) return false;
  for (let index = 0, left = bits; left > 0; index += 1, left -= 8) {
    const mask = left >= 8 ? 255 : (255 << (8 - left)) & 255;
    if (((address[index] ?? 0) & mask) !== ((network[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** Four bytes inside of an IPv6 address, as an IPv4 address. */
export function embeddedVersion4(address: Uint8Array, offset: number): Uint8Array {
  return address.slice(offset, offset + 4);
}
