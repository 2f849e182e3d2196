import type { Facts, PathFact } from '@wrongstack/contracts';
import type { PolicyDocument, PolicyLocks } from '../../src/documents/policy-document.js';
import type { TrustEntry, TrustView } from '../../src/trust/trust-entry.js';
import { anyWord, base, couldMatchBelow, sensitive, simpleCommands } from './naive-matching.js';

/** `order` from the strictest on. */
export function lock<V>(
  documents: readonly PolicyDocument[],
  key: keyof PolicyLocks,
  order: readonly V[],
  unset: V,
): V {
  const active = documents.filter(({ mode }) => mode === undefined || mode === 'enforce');
  const isSetter = ({ metadata }: PolicyDocument): boolean =>
    ['org', 'team', 'orgDefault'].includes(metadata.scope.tier);
  const values = (chosen: readonly PolicyDocument[]): V[] =>
    chosen.flatMap(({ locks }) => (locks?.[key] === undefined ? [] : [locks[key] as V]));
  const set = values(active.filter(isSetter));
  const candidates = [...(set.length > 0 ? set : [unset]), ...values(active.filter((one) => !isSetter(one)))];
  return candidates.sort((left, right) => order.indexOf(left) - order.indexOf(right))[0] ?? unset;
}

export function isMeta({ tool, declared }: Facts): boolean {
  return tool === 'tool-use' || tool === 'batch-tool-use' || declared.includes('tool.mutate.any');
}

/** Section 7 of decisions.md. */
export class NaiveTrust {
  constructor(
    private readonly facts: Facts,
    private readonly trust: TrustView,
    private readonly documents: readonly PolicyDocument[],
  ) {}

  entries(effect: 'allow' | 'deny'): readonly TrustEntry[] {
    if (this.trust.status !== 'ok') return [];
    return this.trust.entries.filter((entry) => entry.effect === effect && entry.tool === this.facts.tool);
  }

  private grants(): readonly TrustEntry[] {
    if (lock(this.documents, 'trustGrants', ['off', 'session', 'persistent'], 'persistent') === 'off')
      return [];
    if (!this.facts.claimsTrusted || isMeta(this.facts)) return [];
    const hours = lock(this.documents, 'trustTtlHours', [1, 24, 168, 720], 168);
    return this.entries('allow').filter((entry) => {
      const longest = Date.parse(entry.grantedAt) + hours * 3_600_000;
      const until = entry.expiresAt === null ? longest : Math.min(longest, Date.parse(entry.expiresAt));
      return (
        entry.owner === this.facts.owner &&
        entry.definitionDigest === this.facts.definitionDigest &&
        Date.parse(this.facts.now) < until
      );
    });
  }

  covers(at: number | 'call'): boolean {
    const { command, paths, hosts } = this.facts;
    if (at === 'call') {
      if (command !== null || paths === 'unknown' || hosts === 'unknown' || paths.length + hosts.length === 0)
        return false;
      return paths.every((path) => this.coversPath(path)) && hosts.length === 0;
    }
    const simple = simpleCommands(this.facts)[at];
    if (simple === undefined || sensitive(simple).length > 0 || simple.argv.length === 0) return false;
    if (command === null || command === 'unknown' || command.unparsed || paths === 'unknown') return false;
    if (paths.some((path) => path.command === null && !this.coversPath(path))) return false;
    return this.grants().some(
      ({ subject }) =>
        subject.kind === 'command' &&
        subject.words.length === simple.argv.length &&
        subject.words.every(
          (glob, index) => simple.argv[index] !== null && anyWord([glob], simple.argv[index] ?? ''),
        ),
    );
  }

  coversPath(path: PathFact): boolean {
    return this.grants().some(
      ({ subject }) =>
        subject.kind === 'path' &&
        subject.access === path.access &&
        path.claimed !== null &&
        subject.path === path.real,
    );
  }

  denies({ subject, expiresAt }: TrustEntry): boolean {
    if (expiresAt !== null && Date.parse(this.facts.now) >= Date.parse(expiresAt)) return false;
    if (subject.kind === 'path') {
      if (this.facts.paths === 'unknown') return true;
      return this.facts.paths.some(
        (path) =>
          path.access === subject.access &&
          (path.real === null ||
            path.claimed === null ||
            path.real === subject.path ||
            (path.recursive === true &&
              couldMatchBelow(subject.path, path.real, path.relative, this.facts.project))),
      );
    }
    if (subject.kind !== 'command' || this.facts.command === null) return false;
    if (this.facts.command === 'unknown' || this.facts.command.unparsed) return true;
    return simpleCommands(this.facts).some(({ argv }) => {
      const name = argv[0] === undefined ? '' : argv[0];
      const named = name === null || (name !== '' && anyWord([base(subject.words[0] ?? '')], base(name)));
      const rest = [...subject.words.slice(1)];
      for (const word of argv.slice(1))
        if (word !== null && rest[0] !== undefined && anyWord([rest[0]], word)) rest.shift();
      return named && (rest.length === 0 || argv.includes(null));
    });
  }
}
