import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '@wrongstack/contracts';

export const SEGMENT_BYTES = 4 * 1024 * 1024;
const SEGMENT_NAME = /^output\.(\d{6})$/;

export interface KeptOutput {
  /** Where what is kept begins: everything before it was removed to stay within the limit. */
  readonly start: number;
  readonly end: number;
}

export function segmentFile(folder: string, index: number): string {
  return join(folder, `output.${String(index).padStart(6, '0')}`);
}

/** Segment n holds the bytes from n × size: no index is needed that could disagree with the files. */
export function keptOutput(folder: string, segmentBytes: number): KeptOutput {
  const indexes = segmentIndexes(folder);
  const first = indexes[0];
  const last = indexes.at(-1);
  if (first === undefined || last === undefined) return { start: 0, end: 0 };
  const size = statSync(segmentFile(folder, last), { throwIfNoEntry: false })?.size ?? 0;
  return { start: first * segmentBytes, end: last * segmentBytes + size };
}

export function segmentIndexes(folder: string): readonly number[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return names
    .flatMap((name) => {
      const digits = SEGMENT_NAME.exec(name)?.[1];
      return digits === undefined ? [] : [Number(digits)];
    })
    .sort((a, b) => a - b);
}

/** Up to `most` bytes from a position that is within what is kept. Short where a segment was removed meanwhile. */
export function readSegments(folder: string, segmentBytes: number, at: number, most: number): Buffer {
  const pieces: Buffer[] = [];
  let position = at;
  while (position < at + most) {
    const index = Math.floor(position / segmentBytes);
    const inside = position - index * segmentBytes;
    const piece = readPiece(
      segmentFile(folder, index),
      inside,
      Math.min(at + most - position, segmentBytes - inside),
    );
    if (piece.length === 0) break;
    pieces.push(piece);
    position += piece.length;
  }
  return Buffer.concat(pieces);
}

function readPiece(file: string, offset: number, length: number): Buffer {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(handle, bytes, 0, length, offset));
  } finally {
    closeSync(handle);
  }
}

export function removeSegments(folder: string): void {
  for (const index of segmentIndexes(folder)) rmSync(segmentFile(folder, index), { force: true });
}
