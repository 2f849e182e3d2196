import { domainToASCII } from 'node:url';
import type { HostFact } from '@wrongstack/contracts';
import { compileWordGlob, type TextTest } from './word-glob.js';
import type { Truth } from './truth.js';

export type HostTest = (host: HostFact) => Truth;

/**
 * A host pattern: `[scheme://]name[:port]`. The name is compared label by label: a leading `*.` stands for one label or
 * more, another `*` stays inside its label, so `*.corp.example` is neither `corp.example` nor `evilcorp.example`.
 * Returns a sentence where the pattern is no host.
 */
export function compileHostPattern(pattern: string): HostTest | string {
  const parts =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?(\[[0-9A-Fa-f:.]+\]|[^/?#@:[\]\s]+)(?::(\d{1,5}))?$/.exec(pattern);
  const name = parts?.[2];
  if (parts === null || name === undefined)
    return 'is no host pattern: write [scheme://]name[:port] without a path';
  const scheme = parts[1]?.toLowerCase();
  const port = parts[3] === undefined ? undefined : Number(parts[3]);
  const isName = compileName(name);
  if (typeof isName === 'string') return isName;

  return (host) => {
    if (scheme !== undefined && scheme !== host.scheme) return 'no';
    if (host.host !== null && !isName(host.host)) return 'no';
    if (port !== undefined && host.port !== null && port !== host.port) return 'no';
    return host.host === null || (port !== undefined && host.port === null) ? 'unknown' : 'yes';
  };
}

function compileName(name: string): TextTest | string {
  if (name === '*') return () => true;
  if (name.startsWith('[')) {
    const address = name.slice(1, -1).toLowerCase();
    return (host) => host === address || host === `[${address}]`;
  }
  const spelling = name.toLowerCase().replace(/\.$/, '');
  const ascii = spelling.includes('*') ? spelling : domainToASCII(spelling);
  if (ascii === '') return 'is no valid host name';
  const labels = ascii.split('.');
  if (labels.includes('')) return 'has an empty label';
  const anyDepth = labels[0] === '*';
  const tests = (anyDepth ? labels.slice(1) : labels).map(compileWordGlob);

  return (host) => {
    const parts = host.split('.');
    if (anyDepth ? parts.length <= tests.length : parts.length !== tests.length) return false;
    const offset = parts.length - tests.length;
    return tests.every((test, index) => test(parts[offset + index] ?? ''));
  };
}
