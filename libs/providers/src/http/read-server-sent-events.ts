import type { ServerSentEvent } from '../wire-format.js';
import { malformed } from '../wire-format.js';

/** An event larger than this is an attack or a defect; memory stays bounded. UTF-16 units. */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024;

/**
 * Server-sent events from bytes, as the HTML standard parses them: LF, CR and CRLF end lines, also across chunks; data
 * lines are joined; comments, ids and retry times are skipped; an event that its blank line never closed is dropped.
 */
export async function* readServerSentEvents(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder('utf-8');
  const events = new EventAssembler();
  for await (const chunk of bytes) {
    const ready = events.feed(decoder.decode(chunk, { stream: true }));
    yield* ready;
  }
  yield* events.feed(decoder.decode());
}

class EventAssembler {
  private rest = '';
  private afterCarriageReturn = false;
  private name = '';
  private data: string[] = [];
  private length = 0;

  feed(text: string): ServerSentEvent[] {
    if (text === '') return [];
    const ready: ServerSentEvent[] = [];
    let start = this.afterCarriageReturn && text.startsWith('\n') ? 1 : 0;
    this.afterCarriageReturn = text.endsWith('\r');
    const lineEnd = /\r\n|\n|\r/g;
    lineEnd.lastIndex = start;
    for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
      this.line(this.rest + text.slice(start, end.index), ready);
      this.rest = '';
      start = lineEnd.lastIndex;
    }
    this.rest += text.slice(start);
    if (this.length + this.rest.length > MAX_EVENT_LENGTH) throw malformed('an event is larger than 32 MiB');
    return ready;
  }

  private line(line: string, ready: ServerSentEvent[]): void {
    if (line === '') {
      if (this.data.length > 0) ready.push({ event: this.name || 'message', data: this.data.join('\n') });
      this.name = '';
      this.data = [];
      this.length = 0;
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.startsWith(' ', colon + 1) ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.data.push(value);
      this.length += value.length;
    } else if (field === 'event') this.name = value;
  }
}
