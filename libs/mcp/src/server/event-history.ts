import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

const MOST_EVENTS = 1_000;

interface Kept {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
}

/** What was sent to one client lately, so that one that lost its connection gets the rest. Bounded: old events are gone. */
export class EventHistory implements EventStore {
  #events: Kept[] = [];
  #next = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#next += 1;
    const id = `${stream}_${this.#next}`;
    this.#events.push({ id, stream, message });
    if (this.#events.length > MOST_EVENTS) this.#events = this.#events.slice(-MOST_EVENTS / 2);
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find((event) => event.id === id)?.stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#events.findIndex(({ id }) => id === last);
    const stream = this.#events[at]?.stream ?? '';
    for (const event of this.#events.slice(at + 1)) {
      // An event without content only marked where the stream began.
      if (at !== -1 && event.stream === stream && 'jsonrpc' in event.message)
        await send(event.id, event.message);
    }
    return stream;
  }
}
