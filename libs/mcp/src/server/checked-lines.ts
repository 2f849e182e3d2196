import { Transform, type TransformCallback } from 'node:stream';
import { ErrorCode, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

const LF = 0x0a;

/**
 * Lets messages through and answers everything else: the library's own stdio transport drops a broken line without a word,
 * and ends the connection for a long one. `answer` writes one line to the client.
 */
export class CheckedLines extends Transform {
  #held: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly mostBytes: number,
    private readonly answer: (line: string) => void,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
      this.#hold(chunk.subarray(start, at));
      this.#end();
      start = at + 1;
    }
    this.#hold(chunk.subarray(start));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#size > 0) this.#end();
    done();
  }

  /** What is too long is counted and not kept. */
  #hold(part: Buffer): void {
    this.#size += part.byteLength;
    if (this.#size <= this.mostBytes) this.#held.push(part);
    else this.#held = [];
  }

  #end(): void {
    const tooLong = this.#size > this.mostBytes;
    const text = Buffer.concat(this.#held).toString('utf8').trim();
    this.#held = [];
    this.#size = 0;
    if (tooLong)
      this.#refuse(null, ErrorCode.InvalidRequest, `messages have at most ${this.mostBytes} bytes`);
    else if (text !== '') this.#check(text);
  }

  #check(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(null, ErrorCode.ParseError, 'this line is no JSON');
      return;
    }
    if (JSONRPCMessageSchema.safeParse(value).success) this.push(`${text}\n`);
    else this.#refuse(idOf(value), ErrorCode.InvalidRequest, 'this is no JSON-RPC message');
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.answer(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}
