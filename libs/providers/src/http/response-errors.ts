import type { ProviderErrorCode } from '@wrongstack/contracts';
import { ProviderError } from '@wrongstack/contracts';
import { isObject, objectIn, textIn } from '../json-fields.js';
import { excerpt } from './excerpt.js';
import { retryAfterMs } from './retry-after.js';

/** What messages need to know about the provider that failed. */
export interface ErrorPlace {
  readonly host: string;
  /** Name of the credential, never its value. */
  readonly credential: string;
  /** Values that must not appear in any message. */
  readonly secrets: readonly string[];
  readonly now: () => number;
}

interface ServerComplaint {
  readonly message: string;
  readonly kind: string;
}

const WHEN_UNAVAILABLE = 'go on later, or choose another provider.model';

/** The error of a response that is not a success. `body` may be cut off, empty, HTML or anything else. */
export function errorOfResponse(
  status: number,
  headers: Pick<Headers, 'get'>,
  body: string,
  place: ErrorPlace,
): ProviderError {
  const said = complaintOf(body);
  const detail = excerpt(said.message, place.secrets);
  const tail = detail === '' ? '' : `: ${detail}`;
  const { host, credential } = place;
  const fail = (code: ProviderErrorCode, message: string, hint?: string): ProviderError =>
    new ProviderError(code, message, { status, retryable: false, hint });
  const busy = (code: ProviderErrorCode, message: string, hint: string): ProviderError =>
    new ProviderError(code, message, {
      status,
      retryable: true,
      retryAfterMs: retryAfterMs(headers, place.now()),
      hint,
    });

  if (status >= 300 && status < 400) {
    // Never followed: the key would travel to wherever the answer points.
    return fail(
      'provider.bad_request',
      `${host} redirects (${status})`,
      'set provider.baseUrl to its target',
    );
  }
  if (status === 401)
    return fail('provider.auth', `key refused (401) by ${host}${tail}`, `check ${credential}`);
  if (status === 403)
    return fail(
      'provider.auth',
      `access refused (403) by ${host}${tail}`,
      `check what ${credential} may use`,
    );
  if (isTooLong(status, said)) {
    return fail(
      'provider.context_too_long',
      `request too long for the model at ${host}${tail}`,
      'use /compact',
    );
  }
  if (status === 429 && said.kind === 'insufficient_quota') {
    return fail(
      'provider.rate_limited',
      `quota used up (429) at ${host}${tail}`,
      `check the plan of ${credential}`,
    );
  }
  if (status === 429) {
    return busy(
      'provider.rate_limited',
      `model busy (429) at ${host}${tail}`,
      `go on later, or check the rate limits of ${credential}`,
    );
  }
  if (status === 408) {
    return busy('provider.unreachable', `request timed out (408) at ${host}`, 'go on later, or wstack diag');
  }
  if (status >= 500) {
    return busy('provider.overloaded', `model unavailable (${status}) at ${host}${tail}`, WHEN_UNAVAILABLE);
  }
  if (status === 404) {
    return fail(
      'provider.bad_request',
      `not found (404) at ${host}${tail}`,
      'check provider.model and provider.baseUrl',
    );
  }
  return fail(
    'provider.bad_request',
    `request refused (${status}) by ${host}${tail}`,
    'check provider.model',
  );
}

/** The error of a stream that reports one: the kind decides, since there is no status any more. */
export function codeOfStreamError(kind: string): { code: ProviderErrorCode; retryable: boolean } {
  switch (kind) {
    case 'rate_limit_error':
    case 'rate_limit_exceeded':
      return { code: 'provider.rate_limited', retryable: true };
    case 'authentication_error':
    case 'permission_error':
    case 'invalid_api_key':
      return { code: 'provider.auth', retryable: false };
    case 'invalid_request_error':
    case 'invalid_prompt':
    case 'not_found_error':
    case 'billing_error':
    case 'insufficient_quota':
      return { code: 'provider.bad_request', retryable: false };
    case 'request_too_large':
    case 'context_length_exceeded':
      return { code: 'provider.context_too_long', retryable: false };
    default:
      // overloaded_error, api_error, server_error, timeout_error and what servers invent: the request was fine.
      return { code: 'provider.overloaded', retryable: true };
  }
}

/** What to do about an error that came inside a stream, where no status says more. */
export function hintOfStreamError(code: ProviderErrorCode, credential: string): string {
  switch (code) {
    case 'provider.auth':
      return `check ${credential}`;
    case 'provider.context_too_long':
      return 'use /compact';
    case 'provider.rate_limited':
      return `go on later, or check the rate limits of ${credential}`;
    case 'provider.overloaded':
      return WHEN_UNAVAILABLE;
    case 'provider.bad_request':
      return `check provider.model, and the plan of ${credential}`;
    case 'provider.malformed':
      return 'check provider.type and provider.baseUrl';
    case 'provider.truncated':
    case 'provider.unreachable':
      return 'go on later, or wstack diag';
  }
}

function isTooLong(status: number, said: ServerComplaint): boolean {
  if (status === 413 || said.kind === 'context_length_exceeded') return true;
  // Some providers have no code of their own for it; their words are all there is to go by.
  return status === 400 && /prompt is too long|maximum context length|context window/i.test(said.message);
}

function complaintOf(body: string): ServerComplaint {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // An HTML page says nothing to a person at a terminal.
    return { message: body.trimStart().startsWith('<') ? '' : body, kind: '' };
  }
  if (!isObject(value)) return { message: '', kind: '' };
  const error = objectIn(value, 'error');
  const message =
    textIn(error, 'message') ?? textIn(value, 'error') ?? textIn(value, 'message') ?? textIn(value, 'detail');
  return { message: message ?? '', kind: textIn(error, 'code') ?? textIn(error, 'type') ?? '' };
}
