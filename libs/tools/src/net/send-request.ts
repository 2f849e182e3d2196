import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { WrongStackError } from '@wrongstack/contracts';
import { dial, unreachable } from './dial.js';
import type { AddressRules, RequestTarget } from './request-target.js';
import { resolveTarget, type ResolveHost } from './resolve-host.js';

export interface HopRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

export interface HopOptions {
  readonly rules: AddressRules;
  readonly resolve: ResolveHost;
  readonly signal: AbortSignal;
  /** Certificates to trust instead of the system's; for tests. */
  readonly ca?: string | undefined;
}

const MOST_HEADER_BYTES = 64 * 1024;

/** One request on a connection of its own, until its response's headers are there. */
export async function sendRequest(
  target: RequestTarget,
  request: HopRequest,
  options: HopOptions,
): Promise<IncomingMessage> {
  const { rules, resolve, signal } = options;
  // Loaded first: between a connection and its request there must be no gap in which its errors have no listener.
  const { request: start } = await import('node:http');
  const addresses = await resolveTarget(target, rules, resolve, signal);
  const socket = await dial(target, addresses, rules, options);
  return new Promise((answer, reject) => {
    const outgoing = start({
      method: request.method,
      host: target.host,
      path: `${target.url.pathname}${target.url.search}`,
      headers: headersFor(target, request),
      // The connection is made already, and encrypted where it has to be: no agent may pick another one.
      createConnection: () => socket,
      maxHeaderSize: MOST_HEADER_BYTES,
      setHost: false,
    });
    // Listens until the body has been read too: Node aborts request and response together.
    const close = (): void => {
      outgoing.destroy();
    };
    signal.addEventListener('abort', close, { once: true });
    outgoing.once('close', () => signal.removeEventListener('abort', close));
    outgoing.on('error', (error) => reject(failed(target, error, signal)));
    outgoing.once('upgrade', (_response, upgraded) => {
      upgraded.destroy();
      reject(new WrongStackError('net.bad_answer', `${target.shown}: the server wants another protocol`));
    });
    outgoing.once('response', answer);
    if (signal.aborted) close();
    else outgoing.end(request.body);
  });
}

function headersFor(target: RequestTarget, request: HopRequest): OutgoingHttpHeaders {
  return {
    ...request.headers,
    host: target.url.host,
    connection: 'close',
    ...(request.body === undefined ? {} : { 'content-length': request.body.length }),
  };
}

function failed(target: RequestTarget, error: Error, signal: AbortSignal): Error {
  // The reasons of the client's own signal are errors.
  if (signal.aborted) return signal.reason as Error;
  const parsing = 'code' in error && typeof error.code === 'string' && error.code.startsWith('HPE_');
  if (!parsing) return unreachable(target, error);
  return new WrongStackError(
    'net.bad_answer',
    `${target.shown}: the answer is no valid HTTP (${String(error.code)})`,
  );
}
