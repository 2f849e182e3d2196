import { StringDecoder } from 'node:string_decoder';
import type { Disposer } from '@wrongstack/contracts';

export interface LineInput {
  on(event: 'data' | 'end', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data' | 'end', listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Plain mode: the terminal edits lines itself. One call for each read, since several lines of one read are a paste. */
export function listenForLines(
  input: LineInput,
  emit: (lines: readonly string[]) => void,
  ended: () => void,
): Disposer {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const onData = (chunk: Buffer): void => {
    const rows = (rest + decoder.write(chunk)).split(/\r?\n/);
    rest = rows.pop() ?? '';
    if (rows.length > 0) emit(rows);
  };
  const onEnd = (): void => {
    if (rest !== '') emit([rest]);
    rest = '';
    ended();
  };
  input.on('data', onData);
  input.on('end', onEnd);
  input.resume();
  return () => {
    input.off('data', onData);
    input.off('end', onEnd);
    input.pause();
  };
}
