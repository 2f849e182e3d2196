import type { WireFormat } from '../wire-format.js';

/** Set by us alone: middleware and settings must neither replace the key nor change how the body is framed. */
const RESERVED = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'accept',
  'accept-encoding',
]);

/** What may stand in a header. `fetch` would refuse the rest too, but quotes the value, which may be a secret. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A key that can be sent: visible ASCII. */
export function isSendableKey(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey);
}

export function requestHeaders(
  format: WireFormat,
  apiKey: string | undefined,
  ...extra: readonly (Readonly<Record<string, string>> | undefined)[]
): Readonly<Record<string, string>> {
  const headers = new Map([
    ['content-type', 'application/json'],
    ['accept', 'text/event-stream'],
  ]);
  for (const record of extra) {
    for (const [name, value] of Object.entries(record ?? {})) {
      if (RESERVED.has(name.toLowerCase())) continue;
      if (HEADER_NAME.test(name) && HEADER_VALUE.test(value)) headers.set(name.toLowerCase(), value);
    }
  }
  for (const [name, value] of Object.entries(format.headers(apiKey))) headers.set(name.toLowerCase(), value);
  return Object.fromEntries(headers);
}
