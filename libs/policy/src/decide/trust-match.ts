import { type DecisionSource, type HostFact, type PathFact, type TrustSubject } from '@wrongstack/contracts';
import type { MergedLocks } from '../rules/merged-locks.js';
import { baseNameOf, WHOLE_CALL, type CallView, type CommandView } from '../rules/match/call-view.js';
import { compileHostPattern } from '../rules/match/host-pattern.js';
import { compilePlainPathGlob } from '../rules/match/path-glob.js';
import { both, either, type Truth } from '../rules/match/truth.js';
import { compileWordGlob } from '../rules/match/word-glob.js';
import type { TrustEntry, TrustView } from '../trust/trust-entry.js';
import { isMetaTool } from './findings.js';

/** The person's own "always" and "never", as far as they concern one call. */
export interface TrustInForce {
  readonly corrupt: boolean;
  /** The grant that covers one simple command, or (WHOLE_CALL) a call without any. */
  grantOnCommand(at: number): DecisionSource | null;
  /** The grant that names this very path. */
  grantOnPath(path: PathFact): DecisionSource | null;
  /** Entries that say "never" to something in this call. */
  readonly denials: readonly TrustEntry[];
}

const HOUR = 3_600_000;

export function trustInForce(view: CallView, trust: TrustView, locks: MergedLocks): TrustInForce {
  const entries = trust.status === 'ok' ? trust.entries : [];
  // Tool, owner and definition bind a grant. A denial binds by name alone: a new definition does not shake it off.
  const grants = entries.filter((entry) => entry.effect === 'allow' && isGranted(entry, view, locks));
  const denials = entries.filter(
    (entry) =>
      entry.effect === 'deny' &&
      entry.tool === view.facts.tool &&
      !isPast(entry.expiresAt, view) &&
      catches(entry.subject, view),
  );
  const sourceOf = (entry: TrustEntry | undefined): DecisionSource | null =>
    entry === undefined ? null : { kind: 'trust', id: entry.id };
  const grantOnPath = (path: PathFact): DecisionSource | null =>
    sourceOf(grants.find((entry) => coversPath(entry.subject, path)));

  return {
    corrupt: trust.status === 'corrupt',
    denials,
    grantOnPath,
    grantOnCommand: (at) => {
      if (at === WHOLE_CALL)
        return view.facts.command === null ? wholeCall(view, grants, grantOnPath, sourceOf) : null;
      const command = view.commands[at];
      if (command === undefined || !view.commandsKnown || !ownPathsGranted(view, grantOnPath)) return null;
      return sourceOf(grants.find((entry) => coversCommand(entry.subject, command)));
    },
  };
}

function isGranted(entry: TrustEntry, view: CallView, locks: MergedLocks): boolean {
  const { facts } = view;
  if (locks.trustGrants === 'off' || !facts.claimsTrusted || isMetaTool(facts)) return false;
  if (
    entry.tool !== facts.tool ||
    entry.owner !== facts.owner ||
    entry.definitionDigest !== facts.definitionDigest
  ) {
    return false;
  }
  // The lock may have become shorter since the grant was given.
  const longest = Date.parse(entry.grantedAt) + locks.trustTtlHours * HOUR;
  const until = entry.expiresAt === null ? longest : Math.min(longest, Date.parse(entry.expiresAt));
  return view.now < until;
}

function isPast(expiresAt: string | null, view: CallView): boolean {
  return expiresAt !== null && view.now >= Date.parse(expiresAt);
}

// --- Grants: as written, whole, nothing but what they name.

function coversCommand(subject: TrustSubject, { command, sensitive }: CommandView): boolean {
  if (subject.kind !== 'command' || sensitive.length > 0 || command.argv.length !== subject.words.length)
    return false;
  if (command.argv.length === 0) return false;
  return subject.words.every((glob, index) => {
    const word = command.argv[index];
    return typeof word === 'string' && compileWordGlob(glob)(word);
  });
}

function coversPath(subject: TrustSubject, path: PathFact): boolean {
  if (subject.kind !== 'path' || subject.access !== path.access) return false;
  return path.claimed !== null && path.real !== null && compilePlainPathGlob(subject.path).matches(path.real);
}

function coversHost(subject: TrustSubject, host: HostFact): boolean {
  return subject.kind === 'host' && hostIs(subject.host, host) === 'yes';
}

/** A call that runs no command is about paths and hosts: each of them must be named, and there must be one. */
function wholeCall(
  view: CallView,
  grants: readonly TrustEntry[],
  grantOnPath: TrustInForce['grantOnPath'],
  sourceOf: (entry: TrustEntry | undefined) => DecisionSource | null,
): DecisionSource | null {
  const { paths, hosts } = view.facts;
  if (paths === 'unknown' || hosts === 'unknown') return null;
  const sources = [
    ...paths.map(grantOnPath),
    ...hosts.map((host) => sourceOf(grants.find((entry) => coversHost(entry.subject, host)))),
  ];
  return sources.includes(null) ? null : (sources[0] ?? null);
}

/** Paths that the tool itself claims beside its command are no part of what "always" to that command meant. */
function ownPathsGranted(view: CallView, grantOnPath: TrustInForce['grantOnPath']): boolean {
  return view.paths?.every((path) => path.command !== null || grantOnPath(path) !== null) === true;
}

// --- Denials: by base name and subsequence, and whatever is unknown counts.

function catches(subject: TrustSubject, view: CallView): boolean {
  switch (subject.kind) {
    case 'command':
      return catchesCommand(subject.words, view) !== 'no';
    case 'path': {
      if (view.paths === null) return true;
      const test = compilePlainPathGlob(subject.path);
      return view.paths.some(
        (path) =>
          path.access === subject.access &&
          (path.real === null ||
            path.claimed === null ||
            test.matches(path.real) ||
            (path.recursive === true && test.mayMatchBelow(path.real))),
      );
    }
    case 'host': {
      const { hosts } = view.facts;
      return hosts === 'unknown' || hosts.some((host) => hostIs(subject.host, host) !== 'no');
    }
  }
}

function catchesCommand(words: readonly string[], view: CallView): Truth {
  if (view.facts.command === null) return 'no';
  const [name, ...rest] = words;
  if (name === undefined) return 'no';
  const isNamed = compileWordGlob(baseNameOf(name));
  const tests = rest.map(compileWordGlob);
  let result: Truth = view.commandsKnown ? 'no' : 'unknown';
  for (const { baseName, command } of view.commands) {
    const named: Truth = baseName === null ? 'unknown' : baseName !== '' && isNamed(baseName) ? 'yes' : 'no';
    result = either(result, both(named, catchesWords(tests, command.argv)));
  }
  return result;
}

function catchesWords(
  tests: readonly ((word: string) => boolean)[],
  argv: readonly (string | null)[],
): Truth {
  let found = 0;
  for (const word of argv.slice(1)) if (word !== null && tests[found]?.(word) === true) found++;
  if (found === tests.length) return 'yes';
  return argv.includes(null) ? 'unknown' : 'no';
}

function hostIs(pattern: string, host: HostFact): Truth {
  const test = compileHostPattern(pattern);
  // A pattern that is no host grants nothing and denies everything.
  return typeof test === 'string' ? 'unknown' : test(host);
}
