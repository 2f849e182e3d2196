import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { refuseRepeatedIds } from './unrepeated-ids.js';

describe('ids of requests on one connection', () => {
  let passed: JSONRPCMessage[];
  let sent: JSONRPCMessage[];
  let transport: Transport;
  const call = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
  const receive = (message: JSONRPCMessage): void => transport.onmessage?.(message);

  beforeEach(() => {
    passed = [];
    sent = [];
    transport = {
      start: async () => undefined,
      close: async () => undefined,
      send: async (message) => void sent.push(message),
      onmessage: (message) => void passed.push(message),
    };
    refuseRepeatedIds(transport);
  });

  it('are refused while the first one of them is being answered, which goes on', () => {
    receive(call(1));
    receive(call(1));
    receive(call(2));
    expect(passed).toEqual([call(1), call(2)]);
    expect(sent).toMatchObject([{ id: 1, error: { code: -32600 } }]);
  });

  it('are free again with the answer, and when the call was taken back', async () => {
    receive(call(1));
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    receive(call(1));
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    receive(call(1));
    expect(passed.filter((message) => 'id' in message)).toEqual([call(1), call(1), call(1)]);
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('of our own questions and of their answers are nobody’s business', async () => {
    await transport.send({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} });
    receive({ jsonrpc: '2.0', id: 7, result: {} });
    receive(call(7));
    expect(passed).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }, call(7)]);
  });
});
