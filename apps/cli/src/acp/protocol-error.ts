import { RequestError } from '@agentclientprotocol/sdk';
import { codeOf, messageOf, WrongStackError } from '@wrongstack/contracts';

/** Codes that mean: a key is missing or was refused. */
const NEEDS_KEY: ReadonlySet<string> = new Set(['provider.no_key', 'provider.auth']);

/** Whatever went wrong as an error of the protocol, with our own stable code in `data`. */
export function protocolError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const code = codeOf(error);
  const hint = hintOf(error);
  const data = { code, ...(hint === null ? {} : { hint }) };
  const message = hint === null ? textOf(error) : `${textOf(error)} · ${hint}`;
  if (NEEDS_KEY.has(code)) return RequestError.authRequired(data, message);
  if (code.startsWith('usage.')) return RequestError.invalidParams(data, message);
  if (code === 'session.locked' || code === 'agent.busy') return RequestError.invalidRequest(data, message);
  return RequestError.internalError(data, message);
}

function textOf(error: unknown): string {
  // A run's failure is a plain record, not an Error.
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
    return error.message;
  return messageOf(error);
}

function hintOf(error: unknown): string | null {
  if (error instanceof WrongStackError) return error.hint ?? null;
  return typeof error === 'object' && error !== null && 'hint' in error && typeof error.hint === 'string'
    ? error.hint
    : null;
}
