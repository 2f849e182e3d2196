import type { Message, ModelEvent, ModelRequest, ModelResponse, Provider } from '@wrongstack/contracts';

export interface CollectedStream {
  readonly events: readonly ModelEvent[];
  readonly response: ModelResponse;
}

/** Reads one stream to its end; fails where it does not end with exactly one `done`. */
export async function collectStream(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<CollectedStream> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, { signal })) events.push(event);
  const done = events.filter((event) => event.type === 'done');
  const last = events.at(-1);
  if (done.length !== 1 || last?.type !== 'done')
    throw new Error(`${done.length} done events, or not the last`);
  return { events, response: last.response };
}

/** A small request with two tools. */
export function sampleRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'some-model',
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [userSays('hello')],
    tools: ['read', 'bash'].map((name) => ({
      name,
      description: `The ${name} tool.`,
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    })),
    maxOutputTokens: 1000,
    ...changes,
  };
}

export function userSays(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
