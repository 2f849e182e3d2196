import type { CommandFacts, PathFact } from '@wrongstack/contracts';
import { credentialReason } from './credential-paths.js';

/**
 * `cat .e*` reads `.env` without naming it: the path of a wildcard is the folder above it. Look at what the last part of
 * the pattern could match and mark that folder's reads, so that a wildcard is no way around the credential floor.
 */
export function globbedCredentials(
  paths: readonly PathFact[] | 'unknown',
  command: CommandFacts,
): readonly PathFact[] | 'unknown' {
  if (paths === 'unknown') return paths;
  const reasons = command.commands.map((one) => {
    for (const word of one.argv) {
      const reason = word === null ? null : reasonFor(word);
      if (reason !== null) return reason;
    }
    return null;
  });
  return paths.map((path) => {
    const reason = path.command === null ? null : (reasons[path.command] ?? null);
    if (reason === null || path.access !== 'read' || path.credential !== null) return path;
    return { ...path, credential: reason };
  });
}

/** Names that a pattern is tried on: the well-known ones, since most files of these kinds have one of them. */
const WELL_KNOWN = [
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
  'id_rsa',
  'id_ed25519',
  'id_ecdsa',
  'environ',
  'shadow',
  '.ssh',
  '.aws',
  '.kube',
  '.gnupg',
  '.docker',
  'server.key',
  'server.pem',
];

function reasonFor(word: string): string | null {
  if (!/[*?[]/.test(word)) return null;
  const names = word.split('/').filter((name) => name !== '');
  for (const name of names) {
    if (!/[*?[]/.test(name)) {
      const reason = credentialReason(name, '/');
      if (reason !== null) return reason;
    } else if (/^[*?]+$/.test(name) || name.startsWith('-')) {
      // A bare star skips dot files, and asking for every `cat *` would teach people to say yes.
      continue;
    } else {
      const hit = WELL_KNOWN.find((candidate) => matchesGlob(name, candidate));
      if (hit !== undefined) return credentialReason(hit, '/') ?? 'credential file behind a wildcard';
    }
  }
  return null;
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
    if (simple[index] === '?' || simple[index] === name[at]) {
      at++;
      index++;
    } else if (simple[index] === '*') {
      star = index++;
      mark = at;
    } else if (star >= 0) {
      index = star + 1;
      at = ++mark;
    } else return false;
  }
  while (simple[index] === '*') index++;
  return index === simple.length;
}
