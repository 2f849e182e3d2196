import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { WrongStackError, codeOf, messageOf } from '@wrongstack/contracts';
import { checkAddress, type AddressRules, type RequestTarget } from './request-target.js';

/**
 * A connection to a target, through nothing but the addresses that were checked: no second look-up, no agent, no proxy
 * of the environment. The address at the other end is checked once more before a byte is sent, since a look-up hook
 * is never asked about literals and says nothing about where a socket really ended.
 */
export async function dial(
  target: RequestTarget,
  addresses: readonly LookupAddress[],
  rules: AddressRules,
  options: { readonly signal: AbortSignal; readonly ca?: string | undefined },
): Promise<Socket> {
  const { connect } = await import('node:net');
  const { connect: secure } = await import('node:tls');
  const plain = connect({
    host: target.host,
    port: target.port,
    lookup: answerWith(addresses),
    autoSelectFamily: true,
  });
  // A late failure of the socket below a TLS connection is told by that one; without a listener it would end the process.
  plain.on('error', () => undefined);
  const close = (): void => {
    plain.destroy();
  };
  options.signal.addEventListener('abort', close, { once: true });
  try {
    await opened(plain, 'connect', target, options.signal);
    checkAddress(target, plain.remoteAddress ?? 'none', rules);
    if (!target.secure) return plain;
    const socket = secure({
      socket: plain,
      ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
      ALPNProtocols: ['http/1.1'],
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
    await opened(socket, 'secureConnect', target, options.signal);
    return socket;
  } catch (error) {
    plain.destroy();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', close);
  }
}

function answerWith(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, answer) => {
    if (options.all === true) {
      answer(null, [...addresses]);
      return;
    }
    const [first = { address: '', family: 4 }] = addresses;
    answer(null, first.address, first.family);
  };
}

function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  target: RequestTarget,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error?: Error): void => {
      reject(signal.aborted ? (signal.reason as Error) : unreachable(target, error));
    };
    const closed = (): void => fail();
    socket.once('error', fail);
    socket.once('close', closed);
    socket.once(event, () => {
      socket.removeListener('error', fail);
      socket.removeListener('close', closed);
      resolve();
    });
    if (signal.aborted) socket.destroy();
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the server closed the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** A failed connection, in one line, with the system's code. */
export function unreachable(target: RequestTarget, error: Error | undefined): WrongStackError {
  const code = error === undefined ? 'ECONNRESET' : codeOf(error);
  const why = REASONS[code] ?? (error === undefined ? code : messageOf(error));
  return new WrongStackError(
    'net.unreachable',
    `${target.shown}: no connection to ${target.host}:${target.port}: ${why} (${code})`,
    { cause: error },
  );
}
