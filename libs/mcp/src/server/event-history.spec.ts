import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { EventHistory } from './event-history.js';

const message = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

async function replayed(history: EventHistory, last: string): Promise<JSONRPCMessage[]> {
  const sent: JSONRPCMessage[] = [];
  await history.replayEventsAfter(last, { send: async (_id, one) => void sent.push(one) });
  return sent;
}

describe('what a client that lost its connection gets', () => {
  it('the rest of its own stream, in order', async () => {
    const history = new EventHistory();
    const first = await history.storeEvent('a', message(1));
    await history.storeEvent('b', message(2));
    await history.storeEvent('a', message(3));
    expect(await replayed(history, first)).toEqual([message(3)]);
    expect(await history.getStreamIdForEventId(first)).toBe('a');
  });

  it('nothing for an id that was never given out', async () => {
    const history = new EventHistory();
    await history.storeEvent('a', message(1));
    expect(await replayed(history, 'a_99')).toEqual([]);
    expect(await history.getStreamIdForEventId('a_99')).toBeUndefined();
  });

  it('nothing that is long gone: the memory is bounded', async () => {
    const history = new EventHistory();
    const first = await history.storeEvent('a', message(0));
    for (let index = 1; index <= 1_000; index += 1) await history.storeEvent('a', message(index));
    expect(await replayed(history, first)).toEqual([]);
  });
});
