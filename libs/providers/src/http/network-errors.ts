import { ProviderError, messageOf } from '@wrongstack/contracts';
import type { ErrorPlace } from './response-errors.js';
import { excerpt } from './excerpt.js';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'name look-up failed',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  UND_ERR_BODY_TIMEOUT: 'timed out',
};

/** A request that got no answer. */
export function unreachable(thrown: unknown, place: ErrorPlace): ProviderError {
  const code = networkCode(thrown);
  const certificate = code !== undefined && /CERT|SIGNATURE|SELF_SIGNED|TLS|SSL/.test(code);
  const why = certificate
    ? `certificate not trusted (${code})`
    : code !== undefined
      ? (WORDS[code] ?? code)
      : excerpt(messageOf(thrown), place.secrets);
  return new ProviderError('provider.unreachable', `model unreachable: ${place.host} ${why}`, {
    // A certificate does not become valid by asking again.
    retryable: !certificate,
    hint: 'wstack diag',
  });
}

export function silent(idleMs: number, place: ErrorPlace): ProviderError {
  const seconds = Math.max(1, Math.round(idleMs / 1000));
  return new ProviderError('provider.unreachable', `model silent for ${seconds} s: ${place.host}`, {
    retryable: true,
    hint: 'wstack diag',
  });
}

/** A stream that ended before the model did. Nothing of it is used. */
export function truncated(place: ErrorPlace, thrown?: unknown): ProviderError {
  const code = thrown === undefined ? undefined : networkCode(thrown);
  const how = code === undefined ? '' : ` (${WORDS[code] ?? code})`;
  return new ProviderError('provider.truncated', `answer of ${place.host} was cut off${how}`, {
    retryable: true,
    hint: 'go on later; where it happens again, look at the proxy in between',
  });
}

/** The first errno-like code along the chain of causes: `fetch` wraps what happened in a TypeError. */
function networkCode(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth < 5 && typeof error === 'object' && error !== null; depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    error = 'cause' in error ? error.cause : undefined;
  }
  return undefined;
}
