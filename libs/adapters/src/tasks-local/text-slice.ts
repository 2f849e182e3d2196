/** Bytes from a position of an output, cut so that no character is torn. */
export interface TextSlice {
  readonly text: string;
  readonly from: number;
  readonly next: number;
}

/**
 * `ended`: nothing follows these bytes, so that a torn character at their end is what there is. Bytes that continue a
 * character which begins before the slice are passed over, since whoever asked from there cannot show them.
 */
export function textSlice(bytes: Buffer, at: number, ended: boolean): TextSlice {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start += 1;
  const end = ended ? bytes.length : bytes.length - tornAtEnd(bytes);
  const stop = Math.max(start, end);
  return { text: bytes.toString('utf8', start, stop), from: at + start, next: at + stop };
}

/** How many bytes at the end begin a character that is not complete. */
function tornAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
