import type {
  Clock,
  CommandFacts,
  Facts,
  FloorRecord,
  HostFact,
  PathFact,
  SimpleCommand,
  TrustOffer,
  TrustSubject,
  Verdict,
} from '@wrongstack/contracts';
import { isMetaTool } from '../decide/findings.js';

export interface OfferInput {
  /** Not redacted: a pattern is made of what will really run. */
  readonly facts: Facts;
  readonly demanded: Verdict;
  readonly floors: readonly FloorRecord[];
  readonly locks: { readonly trustGrants: 'off' | 'session' | 'persistent'; readonly trustTtlHours: number };
  readonly clock: Clock;
  /** Is any part of this text a secret? A grant is stored in plain text. */
  readonly isSecret: (text: string) => boolean;
}

const MS_PER_HOUR = 3_600_000;
const MAX_SUBJECTS = 16;

/**
 * May "always" be offered, and for what exactly? Only where a grant would work afterwards, and for the narrowest pattern:
 * these words, this path, this host. Never for a wrapper that decides how something else runs (`env`, `sudo`, `xargs`, `npx`).
 */
export function offerTrust(input: OfferInput): TrustOffer {
  const reason = obstacle(input);
  if (reason !== null) return { offered: false, reason };
  const subjects = subjectsOf(input.facts);
  if (typeof subjects === 'string') return { offered: false, reason: subjects };
  if (subjects.length === 0)
    return { offered: false, reason: 'the call has no command, path or host to remember' };
  if (subjects.length > MAX_SUBJECTS)
    return { offered: false, reason: 'the call has too many parts to remember' };
  if (subjects.some((subject) => textsOf(subject).some(input.isSecret))) {
    return { offered: false, reason: 'it would store a secret' };
  }
  return { offered: true, subjects, expiresAt: offeredUntil(input.clock, input.locks) };
}

export function offeredUntil(clock: Clock, locks: { readonly trustTtlHours: number }): string {
  return new Date(clock.now() + locks.trustTtlHours * MS_PER_HOUR).toISOString();
}

/** One line that says why not, or null. */
function obstacle({ facts, demanded, floors, locks }: OfferInput): string | null {
  if (demanded === 'allow') return 'nothing was asked';
  if (demanded === 'deny') return 'the call is denied';
  if (demanded === 'approve') return 'other people decide';
  if (locks.trustGrants === 'off') return 'trust grants are switched off by policy';
  if (facts.callRisk === 'destructive') return 'destructive is once only';
  if (isMetaTool(facts)) return 'a tool that runs other tools is never trusted as a whole';
  if (!facts.claimsTrusted) return `what a tool of ${facts.owner} says it touches is not vouched for`;
  const standing = floors.find(
    (floor) =>
      floor.loweredBy === null &&
      floor.verdict !== 'allow' &&
      floor.kind !== 'soft' &&
      floor.kind !== 'outside-read',
  );
  return standing === undefined ? null : `a grant would not lower: ${standing.reason}`;
}

function subjectsOf(facts: Facts): readonly TrustSubject[] | string {
  const { command, paths, hosts } = facts;
  if (command === 'unknown' || paths === 'unknown' || hosts === 'unknown') {
    return 'it is not known what the call touches';
  }
  if (paths.some(({ real }) => real === null)) return 'a path of the call is not known';
  if (hosts.some(({ host }) => host === null)) return 'a host of the call is not known';
  // What "always" to a command means: its words, what it reads outside, and what the tool itself touches beside it.
  const named = paths.filter(
    (path) => path.command === null || (path.access === 'read' && !path.inside && !path.scratch),
  );
  if (command === null) return distinct([...paths.map(pathSubject), ...hosts.map(hostSubject)]);
  const words = commandSubjects(command);
  return typeof words === 'string' ? words : distinct([...words, ...named.map(pathSubject)]);
}

/** One subject a simple command, since that is how grants are matched. A transparent wrapper is covered by what it runs. */
function commandSubjects(command: CommandFacts): readonly TrustSubject[] | string {
  if (command.unparsed) return 'the command cannot be read whole';
  const subjects: TrustSubject[] = [];
  for (const one of command.commands) {
    if (one.wrapper === 'transparent' && one.inner.length > 0) continue;
    // Its inner command would need a grant of its own, which would then count without the wrapper too.
    if (one.wrapper === 'own-cover')
      return `what ${one.argv[0] ?? 'a wrapper'} runs is asked about each time`;
    const words = exactWords(one);
    if (typeof words === 'string') return words;
    subjects.push({ kind: 'command', words });
  }
  return subjects;
}

function exactWords(one: SimpleCommand): readonly string[] | string {
  const trait = one.traits.find(
    (name) => name === 'envAssign' || name === 'redirect' || name === 'substitution',
  );
  if (trait !== undefined) return `a grant never covers ${TRAIT_NAMES[trait]}`;
  const words: string[] = [];
  for (const word of one.argv) {
    if (word === null) return 'a part of the command is known only when it runs';
    words.push(escapeWord(word));
  }
  return words.length === 0 ? 'the command names no program' : words;
}

const TRAIT_NAMES = {
  envAssign: 'an environment assignment',
  redirect: 'a redirect to a file',
  substitution: 'a substitution',
} as const;

function pathSubject(path: PathFact): TrustSubject {
  const spelling = /^[A-Z]:\\/.test(path.real ?? '')
    ? (path.real ?? '').replaceAll('\\', '/')
    : (path.real ?? '');
  return { kind: 'path', path: escapePath(spelling), access: path.access };
}

function hostSubject({ scheme, host, port }: HostFact): TrustSubject {
  const name = host?.includes(':') === true ? `[${host}]` : (host ?? '');
  return { kind: 'host', host: `${scheme}://${name}${port === null ? '' : `:${port}`}` };
}

/** A word that stands for itself alone, as a pattern. */
export function escapeWord(word: string): string {
  return word.replace(/[\\*]/g, '\\$&');
}

/** A path that stands for itself alone, as a path glob. */
export function escapePath(path: string): string {
  return path.replace(/[\\*?[\]{}()!]/g, '\\$&');
}

function textsOf(subject: TrustSubject): readonly string[] {
  if (subject.kind === 'command') return [subject.words.join(' '), ...subject.words];
  return [subject.kind === 'path' ? subject.path : subject.host];
}

function distinct(subjects: readonly TrustSubject[]): readonly TrustSubject[] {
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}
