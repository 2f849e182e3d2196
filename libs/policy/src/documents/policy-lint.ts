import { CANONICAL_CAPABILITIES, isCanonicalCapability, type Clock } from '@wrongstack/contracts';
import type { PolicyDocument, PolicyRule, RuleWhen } from './policy-document.js';

export interface LintFinding {
  readonly code:
    | 'path-not-binding'
    | 'recursive-reads'
    | 'recursive-writes'
    | 'unreachable'
    | 'allow-never-matches'
    | 'unknown-capability'
    | 'overlap'
    | 'expired'
    | 'untested'
    | 'unused-set'
    | 'unread';
  /** `error`: the rule protects nothing, or allows nothing, though it says so. */
  readonly level: 'error' | 'warning' | 'note';
  readonly document: string;
  /** Null = the document as a whole. */
  readonly rule: string | null;
  /** One line: what, and what to do. */
  readonly message: string;
}

export interface LintOptions {
  readonly clock: Clock;
  /** Capabilities that installed tools declare beside the canonical ones. */
  readonly knownCapabilities?: readonly string[];
}

type Check = (
  document: PolicyDocument,
  options: LintOptions,
) => readonly Pick<LintFinding, 'code' | 'level' | 'rule' | 'message'>[];

/** What is legal and probably not meant. */
export function lintPolicies(
  documents: readonly PolicyDocument[],
  options: LintOptions,
): readonly LintFinding[] {
  return documents.flatMap((document) =>
    CHECKS.flatMap((check) => check(document, options)).map((finding) => ({
      ...finding,
      document: document.metadata.id,
    })),
  );
}

/** Only programs of the effect table say which paths they touch. */
const pathNotBinding: Check = ({ rules }) =>
  rules
    .filter((rule) => rule.effect !== 'allow' && usesPath(rule.when) && !namesFileTools(rule))
    .map((rule) => ({
      code: 'path-not-binding',
      level: 'note',
      rule: rule.id,
      message:
        'its path does not bind shell programs that say nothing about paths (make, npm run, ./x.sh), nor what git puts in place when it goes to another commit (switch, merge, pull, stash pop): deny or sandbox those as well',
    }));

/** A call that reads or changes a folder whole is not looked into, so a rule about a part of it catches all of it. */
const wholeFolders: Check = ({ rules }) =>
  rules
    .filter((rule) => rule.effect !== 'allow' && rule.effect !== 'oblige' && asksPart(rule.when))
    .flatMap((rule) => [
      ...(restricts(rule, (name) => !name.startsWith('fs.write'))
        ? [caughtWhole(rule, 'recursive-reads', 'reads', 'grep or codebase-index on the project, tar c .')]
        : []),
      ...(restricts(rule, (name) => name !== 'fs.read')
        ? [caughtWhole(rule, 'recursive-writes', 'changes', 'rm -r, git checkout ., tar x')]
        : []),
    ]);

function restricts({ actions }: PolicyRule, isAbout: (capability: string) => boolean): boolean {
  return actions.some((name) => name.startsWith('set:') || isAbout(name));
}

function caughtWhole(
  { id }: PolicyRule,
  code: 'recursive-reads' | 'recursive-writes',
  done: string,
  examples: string,
): ReturnType<Check>[number] {
  const message = `it also catches ${done} of a whole folder above its paths (${examples}): such calls have to name a narrower path`;
  return { code, level: 'note', rule: id, message };
}

/** A list with `**` is about everything anyway. */
function asksPart(when: RuleWhen | undefined): boolean {
  if (when === undefined) return false;
  const globs = when.path?.some ?? [];
  const part = globs.length > 0 && !globs.includes('**');
  return part || (when.any ?? []).some(asksPart);
}

function usesPath(when: RuleWhen | undefined): boolean {
  if (when === undefined) return false;
  return when.path !== undefined || usesPath(when.not) || (when.any ?? []).some(usesPath);
}

function namesFileTools(rule: PolicyRule): boolean {
  const shell = /^(?:bash|exec|git|\*.*|.*\*)$/;
  return rule.when?.tool !== undefined && !rule.when.tool.some((name) => shell.test(name));
}

const STRICTNESS = { oblige: 0, allow: 0, confirm: 1, approve: 2, deny: 3 } as const;

/** Behind a rule without conditions that asks for at least as much. */
const unreachable: Check = ({ rules }) =>
  rules.flatMap((rule) => {
    if (rule.effect === 'oblige') return [];
    const wall = rules.find(
      (other) =>
        other !== rule &&
        other.when === undefined &&
        other.who === undefined &&
        other.mode !== 'shadow' &&
        other.expiresAt === undefined &&
        other.overridable !== true &&
        STRICTNESS[other.effect] > 0 &&
        STRICTNESS[other.effect] >= STRICTNESS[rule.effect] &&
        rule.actions.every((action) => other.actions.includes(action) || other.actions.includes('*')) &&
        !(rule.overrides ?? []).includes(other.id),
    );
    if (wall === undefined) return [];
    const message = `can never decide anything: ${wall.id} has no conditions and says ${wall.effect}`;
    return [{ code: 'unreachable', level: 'warning', rule: rule.id, message }];
  });

const allowNeverMatches: Check = ({ rules, metadata }) =>
  rules.flatMap((rule) => {
    const reason = rule.effect === 'allow' ? whyAllowIsVoid(rule, metadata.scope.tier) : null;
    if (reason === null) return [];
    return [{ code: 'allow-never-matches', level: 'error', rule: rule.id, message: reason }];
  });

function whyAllowIsVoid(rule: PolicyRule, tier: string): string | null {
  if (tier === 'project' || tier === 'plugin') {
    return `an allow has no effect at tier ${tier}, which can only tighten: move it to your own policy`;
  }
  if (rule.when?.command?.has?.includes('unparsed') === true) {
    return 'an unparsed command is never allowed: remove has unparsed';
  }
  const { time } = rule.when ?? {};
  if (time?.days?.length === 0) return 'its time window has no days: name some or remove days';
  if (time?.from !== undefined && time.from === time.to) return 'its time window is empty: from equals to';
  return null;
}

const unknownCapability: Check = ({ rules }, { knownCapabilities = [] }) =>
  rules.flatMap((rule) =>
    rule.actions
      .filter((name) => name !== '*' && name !== 'unknown' && !isCanonicalCapability(name))
      .filter((name) => !knownCapabilities.includes(name))
      .map((name) => ({
        code: 'unknown-capability' as const,
        // A denial that never fires is worse than an allow that does not.
        level: rule.effect === 'allow' ? ('warning' as const) : ('error' as const),
        rule: rule.id,
        message: `no tool declares ${name}${suggestion(name)}`,
      })),
  );

function suggestion(name: string): string {
  const near = CANONICAL_CAPABILITIES.find((known) => distance(known, name) <= 3);
  return near === undefined ? ': check its spelling' : `: did you mean ${near}?`;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const overlap: Check = ({ rules }) =>
  rules.flatMap((rule, index) => {
    const same = (other: PolicyRule) =>
      JSON.stringify([other.actions, other.who, other.when]) ===
      JSON.stringify([rule.actions, rule.who, rule.when]);
    const twin = rules.slice(0, index).find(same);
    if (twin === undefined || twin.effect === 'oblige' || rule.effect === 'oblige') return [];
    const wins = STRICTNESS[twin.effect] >= STRICTNESS[rule.effect] ? twin : rule;
    const message = `is about the same calls as ${twin.id}; the strictest, ${wins.id}, wins: keep one`;
    return [{ code: 'overlap', level: 'warning', rule: rule.id, message }];
  });

const expired: Check = ({ rules, metadata }, { clock }) => {
  const past = (date: string | undefined) => date !== undefined && Date.parse(date) <= clock.now();
  const finding = (rule: string | null, date: string) => ({
    code: 'expired' as const,
    level: 'warning' as const,
    rule,
    message: `expired on ${date}: remove it or set a later date`,
  });
  return [
    ...(past(metadata.expiresAt) ? [finding(null, metadata.expiresAt ?? '')] : []),
    ...rules.filter((rule) => past(rule.expiresAt)).map((rule) => finding(rule.id, rule.expiresAt ?? '')),
  ];
};

const untested: Check = ({ rules, tests = [] }) => {
  if (rules.length === 0) return [];
  if (tests.length === 0) {
    const message = 'has no tests: add one for each rule, so that publishing can run them';
    return [{ code: 'untested', level: 'warning', rule: null, message }];
  }
  const tested = new Set(tests.map(({ expect }) => expect.rule));
  return rules
    .filter((rule) => rule.effect !== 'oblige' && !tested.has(rule.id))
    .map((rule) => ({
      code: 'untested',
      level: 'note',
      rule: rule.id,
      message: 'no test expects this rule',
    }));
};

const unusedSet: Check = ({ sets = {}, rules }) => {
  const text = JSON.stringify(rules);
  return Object.keys(sets)
    .filter((name) => !text.includes(JSON.stringify(`set:${name}`)))
    .map((name) => ({
      code: 'unused-set',
      level: 'note',
      rule: null,
      message: `set ${name} is not used`,
    }));
};

const CHECKS: readonly Check[] = [
  pathNotBinding,
  wholeFolders,
  unreachable,
  allowNeverMatches,
  unknownCapability,
  overlap,
  expired,
  untested,
  unusedSet,
];
