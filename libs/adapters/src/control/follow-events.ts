import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentSession } from './agent-session.js';
import { openStream } from './control-http.js';
import { isUnreachable } from './audit-shipper.js';

/** One server-sent event. */
export interface ServerEvent {
  readonly name: string;
  /** What to come back with; null = it has none. */
  readonly id: string | null;
  readonly data: unknown;
}

const RETRY_MS = 2_000;
const MOST_LINE = 1024 * 1024;

/**
 * The events of a route, until one named `last`. A connection that breaks is taken up again where it was: nothing is lost, and nothing told
 * twice. Throws what the server refuses.
 */
export async function* followEvents(
  session: Pick<AgentSession, 'signedIn'>,
  path: string,
  last: string,
  signal: AbortSignal,
  retryMs = RETRY_MS,
): AsyncGenerator<ServerEvent> {
  for (let id: string | null = null; ;) {
    signal.throwIfAborted();
    try {
      const { server, accessToken } = await session.signedIn(signal);
      const headers: Record<string, string> = {
        authorization: `Bearer ${accessToken}`,
        ...(id === null ? {} : { 'last-event-id': id }),
      };
      const chunks = await openStream(server, path, headers, signal);
      for await (const event of eventsIn(chunks)) {
        yield event;
        if (event.name === last) return;
        id = event.id ?? id;
      }
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** As the standard has it, of what our server sends. */
export async function* eventsIn(chunks: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let [rest, name, id, data]: [string, string, string | null, string] = ['', 'message', null, ''];
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    // Nobody sends us such a line; whoever does shall not fill the memory.
    if (rest.length > MOST_LINE) return;
    for (const line of lines) {
      if (line === '') {
        if (data !== '') yield { name, id, data: parsed(data) };
        [name, id, data] = ['message', null, ''];
      } else if (line.startsWith('event: ')) name = line.slice('event: '.length);
      else if (line.startsWith('id: ')) id = line.slice('id: '.length);
      else if (line.startsWith('data: ')) data += line.slice('data: '.length);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
