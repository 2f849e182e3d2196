/** One event of a stream, as the API writes them. */
export interface ServerEvent {
  readonly name: string;
  readonly id: string | null;
  readonly data: string;
}

/** `alive`: a comment, which says no more than that somebody is there. */
export type Heard = { readonly is: 'alive' } | { readonly is: 'event'; readonly event: ServerEvent };

const MOST_CHARACTERS = 8 * 1024 * 1024;

/**
 * Server-sent events out of pieces of text. `EventSource` tells nobody of comments, so it cannot be told from a stream that hangs; nor
 * does it say why a server refused.
 */
export class EventReader {
  #rest = '';
  #name = 'message';
  #id: string | null = null;
  #data: string[] = [];

  *read(piece: string): Generator<Heard> {
    this.#rest += piece;
    if (this.#rest.length > MOST_CHARACTERS) throw new Error('an event of the stream is too large');
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const heard = this.#line(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (heard !== null) yield heard;
    }
  }

  #line(line: string): Heard | null {
    if (line === '') return this.#end();
    if (line.startsWith(':')) return { is: 'alive' };
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#id = value;
    return null;
  }

  #end(): Heard | null {
    const event = { name: this.#name, id: this.#id, data: this.#data.join('\n') };
    const empty = this.#data.length === 0;
    this.#name = 'message';
    this.#data = [];
    return empty ? null : { is: 'event', event };
  }
}
