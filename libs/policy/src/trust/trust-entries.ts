import { isoNow, type Clock, type Facts, type TrustOffer, type TrustSubject } from '@wrongstack/contracts';
import type { TrustEntry } from './trust-entry.js';

/** Entries for a person's answer. "Never" stays until it is revoked; "always" ends when the offer said. */
export function trustEntries(
  offer: Extract<TrustOffer, { offered: true }>,
  facts: Pick<Facts, 'tool' | 'owner' | 'definitionDigest' | 'actor'>,
  effect: 'allow' | 'deny',
  given: { readonly clock: Clock; readonly newId: () => string },
): readonly TrustEntry[] {
  return offer.subjects.map((subject) => ({
    id: given.newId(),
    effect,
    tool: facts.tool,
    owner: facts.owner,
    definitionDigest: facts.definitionDigest,
    subject,
    expiresAt: effect === 'allow' ? offer.expiresAt : null,
    grantedBy: facts.actor.user?.name ?? 'local',
    grantedAt: isoNow(given.clock),
  }));
}

/** For lists and prompts: `"npm test"`, `read /etc/hosts`, `https://example.com:443`. */
export function describeSubject(subject: TrustSubject): string {
  switch (subject.kind) {
    case 'command':
      return JSON.stringify(subject.words.map(readable).join(' '));
    case 'path':
      return `${subject.access} ${subject.path}`;
    case 'host':
      return subject.host;
  }
}

/** A word as it would be typed, so that `'a b'` does not look like two. */
function readable(word: string): string {
  return word === '' || /[\s'"]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word;
}

export function isExpired(entry: TrustEntry, clock: Clock): boolean {
  return entry.expiresAt !== null && Date.parse(entry.expiresAt) <= clock.now();
}
