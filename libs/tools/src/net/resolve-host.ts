import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import { checkAddress, type AddressRules, type RequestTarget } from './request-target.js';

/** Every address of a host name. Injected by tests that play a hostile name server. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

export const systemResolver: ResolveHost = async (host) => {
  const { lookup } = await import('node:dns/promises');
  return lookup(host, { all: true, verbatim: true });
};

/**
 * The addresses that may be dialled for a target. One forbidden answer refuses the host as a whole: a name that mixes
 * public and private answers is either an attack or a set-up that an administrator should permit by name.
 */
export async function resolveTarget(
  target: RequestTarget,
  rules: AddressRules,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const family = isIP(target.host);
  // A literal is never resolved. It was checked when the target was read; checked again here, the two cannot drift apart.
  const answers = family === 0 ? await ask(target, resolve, signal) : [{ address: target.host, family }];
  for (const { address } of answers) checkAddress(target, address, rules);
  return answers;
}

async function ask(
  target: RequestTarget,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  let answers: readonly LookupAddress[];
  try {
    answers = await untilAborted(() => resolve(target.host), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new WrongStackError(
      'net.unresolved',
      `${target.shown}: the host ${target.host} cannot be resolved (${codeOf(error)}); check its spelling`,
      { cause: error },
    );
  }
  if (answers.length > 0) return answers;
  throw new WrongStackError('net.unresolved', `${target.shown}: the host ${target.host} has no address`);
}

/** The system's resolver cannot be cancelled, but nobody has to wait for it. */
async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
