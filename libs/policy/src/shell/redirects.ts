import type { Redirect } from 'unbash';
import { names } from './names.js';
import { staticWord, type ShellWord } from './shell-word.js';

export type RedirectUse =
  | { readonly kind: 'harmless' }
  | { readonly kind: 'file'; readonly word: ShellWord; readonly access: readonly ('read' | 'write')[] }
  | { readonly kind: 'host'; readonly url: string | null };

const HARMLESS = new Set(
  names(`
    /dev/null /dev/stdin /dev/stdout /dev/stderr /dev/tty /dev/zero /dev/full /dev/random /dev/urandom
  `),
);

/** What a redirect does. `target` is null where it is missing or became several words, which bash refuses. */
export function redirectUse(redirect: Redirect, target: ShellWord | null): RedirectUse {
  const access = accessOf(redirect.operator);
  if (target === null) return { kind: 'file', word: { ...staticWord(''), value: null }, access };
  const duplicates = redirect.operator === '>&' || redirect.operator === '<&';
  if (duplicates && target.value !== null && /^(?:\d+-?|-)$/.test(target.value)) return { kind: 'harmless' };
  // `>&$fd` may be a descriptor or a file; only the second needs care, so it counts.
  if (target.value !== null && isHarmless(target.value)) return { kind: 'harmless' };
  const network = /^\/dev\/(tcp|udp)\/([^/]+)\/(.+)$/.exec(target.value ?? '');
  if (network)
    return { kind: 'host', url: `${network[1] ?? 'tcp'}://${network[2] ?? ''}:${network[3] ?? ''}` };
  if (/^\/dev\/(?:tcp|udp)\//.test(target.value ?? target.lead)) return { kind: 'host', url: null };
  return { kind: 'file', word: target, access };
}

/** `/dev/null`, the standard streams and the like: nothing is kept there and nothing private comes from there. */
export function isHarmless(path: string): boolean {
  return HARMLESS.has(path) || /^\/dev\/fd\/\d+$/.test(path);
}

function accessOf(operator: Redirect['operator']): readonly ('read' | 'write')[] {
  switch (operator) {
    case '<':
    case '<&':
      return ['read'];
    case '<>':
      return ['read', 'write'];
    case '>':
    case '>>':
    case '>&':
    case '>|':
    case '&>':
    case '&>>':
      return ['write'];
  }
}

const BLOCK_DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|mapper\/|loop|md|mem$|kmem$|port$)/;

/** Writing here destroys a file system or the machine's memory. */
export function isRawDevice(path: string | null): boolean {
  return path !== null && BLOCK_DEVICE.test(path);
}
