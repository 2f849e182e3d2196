import type { Readable } from 'node:stream';
import { usageError } from './report-error.js';

const LONGEST = 64 * 1024 * 1024;

/** All of standard input as text. Bounded: `yes | wstack run` must end, and end with a word. */
export async function readStdin(input: Readable = process.stdin, longest = LONGEST): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk as Buffer);
    length += bytes.byteLength;
    if (length > longest) {
      throw usageError(
        `standard input is longer than ${Math.floor(longest / 1024 / 1024)} MiB`,
        'put it into a file of the project and name that',
      );
    }
    chunks.push(bytes);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
