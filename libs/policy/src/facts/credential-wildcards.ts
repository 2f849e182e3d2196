import type { ArgvWord } from '@wrongstack/contracts';
import { credentialReason } from './credential-paths.js';
import { matchesGlob } from './name-glob.js';

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
