import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * Refuses a request whose id is still being answered. The library would keep the newer one alone: the older call could be neither
 * cancelled nor ended with its session, and would run on. For a transport that is connected already.
 */
export function refuseRepeatedIds(transport: Transport): void {
  const open = new Set<RequestId>();
  const pass = transport.onmessage?.bind(transport);
  const send = transport.send.bind(transport);
  transport.onmessage = (message, extra) => {
    const cancelled = cancelledBy(message);
    // Nothing is answered to a call that was taken back.
    if (cancelled !== null) open.delete(cancelled);
    if (isJSONRPCRequest(message)) {
      const { id } = message;
      if (open.has(id)) {
        const error = {
          code: ErrorCode.InvalidRequest,
          message: 'a request with this id is being answered: take another id',
        };
        send({ jsonrpc: '2.0', id, error }).catch((failure: unknown) =>
          transport.onerror?.(asError(failure)),
        );
        return;
      }
      open.add(id);
    }
    pass?.(message, extra);
  };
  transport.send = (message, options) => {
    if ('id' in message && !('method' in message) && message.id !== undefined) open.delete(message.id);
    return send(message, options);
  };
}

function cancelledBy(message: JSONRPCMessage): RequestId | null {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return null;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}
