import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { WrongStackError, codeOf } from '@wrongstack/contracts';

export interface BodyLimits {
  /** Counted after decompression, and for what arrives too. */
  readonly maxBytes: number;
  /** `truncate` ends the body at the limit and says so in `truncated`. */
  readonly overflow: 'error' | 'truncate';
  readonly signal: AbortSignal;
  /** For messages. */
  readonly shown: string;
}

type Coding = 'identity' | 'gzip' | 'br' | 'deflate';

export const ACCEPTED_CODINGS = 'gzip, br';

/**
 * The one content coding of a response. A chain (`gzip, gzip`) multiplies what a few bytes can grow into and has no
 * honest use, so it is refused, as is a coding that nobody offered.
 */
export function readCoding(header: string | undefined, shown: string): Coding {
  const codings = (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (codings.length > 1) {
    throw new WrongStackError(
      'net.encoding_chain',
      `${shown}: the answer is compressed ${codings.length} times over; one coding is the limit`,
    );
  }
  const [coding] = codings;
  switch (coding) {
    case undefined:
      return 'identity';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    case 'br':
    case 'deflate':
      return coding;
    default:
      throw new WrongStackError(
        'net.encoding',
        `${shown}: the answer has the unknown content coding ${coding.slice(0, 40)}`,
      );
  }
}

/** A response's body, inflated as it is read and never beyond its limits. Reading it to the end, or `cancel`, frees the connection. */
export class BoundedBody implements AsyncIterable<Uint8Array> {
  #bytes = 0;
  #truncated = false;
  #used = false;
  /** Compressed bytes so far. */
  #arrived = 0;

  constructor(
    private readonly source: IncomingMessage,
    private readonly coding: Coding,
    private readonly limits: BodyLimits,
    private readonly release: () => void,
  ) {}

  /** Bytes handed out so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the body went on behind what was handed out. */
  get truncated(): boolean {
    return this.#truncated;
  }

  cancel(): void {
    this.#used = true;
    this.source.destroy();
    this.release();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#used)
      throw new WrongStackError('net.body_used', `${this.limits.shown}: the body was already read`);
    this.#used = true;
    try {
      const decoded = await this.decoded();
      for await (const chunk of decoded) {
        // Both a response and a zlib stream without encoding yield buffers.
        const part = this.within(chunk as Buffer);
        if (part.length > 0) yield part;
        if (this.#truncated) return;
      }
      if (!this.source.complete) throw this.broken('it ended early');
    } catch (error) {
      // Nothing at all was sent: an empty body under a header that was set for all answers.
      if (codeOf(error) === 'Z_BUF_ERROR' && this.#arrived === 0 && this.source.complete) return;
      throw this.explained(error);
    } finally {
      this.source.destroy();
      this.release();
    }
  }

  private within(chunk: Buffer): Uint8Array {
    const room = this.limits.maxBytes - this.#bytes;
    if (chunk.length > room) {
      if (this.limits.overflow === 'error') {
        throw new WrongStackError(
          'net.body_too_large',
          `${this.limits.shown}: the answer has more than ${this.limits.maxBytes} bytes, the limit`,
        );
      }
      this.#truncated = true;
    }
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#bytes += part.length;
    return part;
  }

  private async decoded(): Promise<Readable> {
    if (this.coding === 'identity') return this.source;
    const zlib = await import('node:zlib');
    const inflate = {
      gzip: () => zlib.createGunzip(),
      br: () => zlib.createBrotliDecompress(),
      deflate: () => zlib.createInflate(),
    }[this.coding]();
    this.source.on('data', (chunk: Buffer) => {
      this.#arrived += chunk.length;
      // Compressed bytes that inflate to nothing would otherwise run on until the deadline.
      if (this.#arrived > this.limits.maxBytes + 65_536) inflate.destroy(this.broken('it is too large'));
    });
    this.source.once('error', (error) => inflate.destroy(error));
    this.source.once('close', () => {
      if (!this.source.complete) inflate.destroy(this.broken('it ended early'));
    });
    return this.source.pipe(inflate);
  }

  private broken(why: string): WrongStackError {
    return new WrongStackError(
      'net.body_broken',
      `${this.limits.shown}: the answer's body is broken: ${why}`,
    );
  }

  private explained(error: unknown): unknown {
    if (this.limits.signal.aborted) return this.limits.signal.reason;
    return error instanceof WrongStackError ? error : this.broken(codeOf(error));
  }
}
