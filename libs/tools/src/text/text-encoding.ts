import { isUtf8 } from 'node:buffer';

/**
 * How the bytes of a text file become text and back. `latin1` is what remains for bytes that are no UTF-8: every byte
 * is one character, so whatever an edit does not touch comes back byte for byte.
 */
export type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'latin1';

export interface TextFormat {
  readonly encoding: Encoding;
  /** The byte order mark, kept as it is. */
  readonly bom: Uint8Array;
}

const NO_BOM = new Uint8Array(0);
const BOMS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf8', [0xef, 0xbb, 0xbf]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
];

/** What a file's first bytes say, or null when they are not text. `whole` = the sample is the entire file. */
export function detectFormat(sample: Uint8Array, whole: boolean): TextFormat | null {
  const marked = BOMS.find(([, mark]) => mark.every((byte, index) => sample[index] === byte));
  if (marked !== undefined) return behindMark(marked[0], Uint8Array.from(marked[1]), sample, whole);
  if (sample.includes(0)) {
    const encoding = utf16WithoutMark(sample);
    return encoding === null ? null : behindMark(encoding, NO_BOM, sample, whole);
  }
  return { encoding: isWellFormed(sample, whole) ? 'utf8' : 'latin1', bom: NO_BOM };
}

/** A mark is a claim: bytes that do not hold it are no text of that encoding, and must come back as they were. */
function behindMark(
  encoding: Encoding,
  bom: Uint8Array,
  sample: Uint8Array,
  whole: boolean,
): TextFormat | null {
  const body = sample.subarray(bom.length);
  if (encoding === 'utf8') return { encoding: isWellFormed(body, whole) ? encoding : 'latin1', bom };
  // UTF-32 starts with the same two bytes, and half a unit at the end would be lost.
  const isUtf32 = encoding === 'utf16le' && body[0] === 0 && body[1] === 0;
  return isUtf32 || (whole && body.length % 2 === 1) ? null : { encoding, bom };
}

export function decode(bytes: Uint8Array, format: TextFormat): string {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(format.bom.length);
  switch (format.encoding) {
    case 'utf8':
      return body.toString('utf8');
    case 'latin1':
      return body.toString('latin1');
    case 'utf16le':
      return body.toString('utf16le');
    case 'utf16be':
      return Buffer.from(body.subarray(0, body.length & ~1))
        .swap16()
        .toString('utf16le');
  }
}

/** Null when the text has characters that this encoding does not have. */
export function encode(text: string, format: TextFormat): Uint8Array | null {
  return concat(format.bom, encodeBody(text, format.encoding));
}

function encodeBody(text: string, encoding: Encoding): Buffer | null {
  switch (encoding) {
    case 'utf8':
      return hasLoneSurrogate(text) ? null : Buffer.from(text, 'utf8');
    case 'latin1':
      return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : null;
    case 'utf16le':
      return Buffer.from(text, 'utf16le');
    case 'utf16be':
      return Buffer.from(text, 'utf16le').swap16();
  }
}

/** Half of a pair: no encoding of Unicode text can hold it, so writing it would put U+FFFD in its place. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function concat(bom: Uint8Array, body: Buffer | null): Uint8Array | null {
  return body === null ? null : Buffer.concat([bom, body]);
}

function isWellFormed(sample: Uint8Array, whole: boolean): boolean {
  if (isUtf8(sample)) return true;
  if (whole) return false;
  // A sample may end within a character: then all before it is well-formed, and so is its beginning.
  const tail = sample.subarray(-3);
  const lead = tail.findLastIndex((byte) => byte >= 0xc0);
  const at = sample.length - tail.length + lead;
  if (lead === -1 || !isUtf8(sample.subarray(0, at))) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample.subarray(at), { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Text without a mark in which every other byte is zero, as some Windows tools write it. */
function utf16WithoutMark(sample: Uint8Array): Encoding | null {
  if (sample.length < 4) return null;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < sample.length; index += 1) {
    if (sample[index] !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = sample.length / 2;
  if (even === 0 && odd > half * 0.7) return 'utf16le';
  if (odd === 0 && even > half * 0.7) return 'utf16be';
  return null;
}
