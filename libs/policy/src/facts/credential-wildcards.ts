import type { ArgvWord } from '@wrongstack/contracts';
import { credentialReason } from './credential-paths.js';

/** Names that a pattern is tried on: most credential files have one of them. */
const WELL_KNOWN: readonly string[] = [
  '.env',
  '.env.local',
  '.env.production',
  '.env.development',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.vault-token',
  '.ssh',
  '.aws',
  '.kube',
  '.gnupg',
  '.docker',
  'id_rsa',
  'id_ed25519',
  'id_ecdsa',
  'environ',
  'shadow',
  'server.key',
  'server.pem',
];

/** Why one of these words, read as shell wildcards, may name a credential; null when none does. */
export function mayName(words: readonly ArgvWord[]): string | null {
  for (const word of words) {
    if (word === null || !/[*?[]/.test(word) || word.startsWith('-')) continue;
    for (const name of word.split('/')) {
      const reason = reasonFor(name);
      if (reason !== null) return reason;
    }
  }
  return null;
}

function reasonFor(name: string): string | null {
  if (name === '') return null;
  if (!/[*?[]/.test(name)) return credentialReason(name, '/');
  // A bare star skips dot files, and asking for every `cat *` would teach people to say yes.
  if (/^[*?]+$/.test(name)) return null;
  const hit = WELL_KNOWN.find((candidate) => matchesGlob(name, candidate));
  return hit === undefined ? null : (credentialReason(hit, '/') ?? 'credential file behind a wildcard');
}

/** Shell wildcards within one name; dot files need their dot. Character classes match anything, which errs on asking. */
function matchesGlob(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !/^[.[]/.test(pattern)) return false;
  const simple = pattern.replace(/\[[^\]]*\]/g, '?');
  let star = -1;
  let mark = 0;
  let at = 0;
  let index = 0;
  while (at < name.length) {
    if (simple[index] === '*') {
      star = index++;
      mark = at;
    } else if (simple[index] === '?' || simple[index] === name[at]) {
      at++;
      index++;
    } else if (star >= 0) {
      index = star + 1;
      at = ++mark;
    } else return false;
  }
  while (simple[index] === '*') index++;
  return index === simple.length;
}
