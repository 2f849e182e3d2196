import { messageOf } from '@wrongstack/contracts';
import { compilePolicies } from '../rules/compiled-policies.js';
import { checkScope } from './check-scope.js';
import type { PolicyDocument, PolicyRule, RuleWhen } from './policy-document.js';

export interface DocumentProblem {
  readonly pointer: string;
  readonly what: string;
  readonly next: string;
}

/** Sets that exist without being declared. */
const BUILT_IN_SETS: ReadonlySet<string> = new Set(['readOnlyCommands']);

/** What the schema cannot say: names that must exist, ids that must differ, effects that fit the tier, matchers that compile. */
export function checkDocument(document: PolicyDocument): readonly DocumentProblem[] {
  const problems = [
    ...duplicateIds(document),
    ...document.rules.flatMap((rule, index) => checkRule(document, rule, `/rules/${index}`)),
    ...checkScope(document),
  ];
  return problems.length > 0 ? problems : uncompilable(document);
}

function duplicateIds(document: PolicyDocument): DocumentProblem[] {
  const seen = new Set<string>();
  return document.rules.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ pointer: `/rules/${index}/id`, what: `repeats the rule id ${id}`, next: 'rename one of them' }];
  });
}

function checkRule(document: PolicyDocument, rule: PolicyRule, pointer: string): DocumentProblem[] {
  const problems = [
    ...unknownSets(document, rule.who, `${pointer}/who`, false),
    ...checkWhen(document, rule.when, `${pointer}/when`),
  ];
  if (rule.approvers !== undefined) {
    problems.push(...unknownSets(document, rule.approvers.from, `${pointer}/approvers/from`, false));
  }
  if (rule.obligations !== undefined && rule.effect !== 'oblige') {
    problems.push({
      pointer: `${pointer}/obligations`,
      what: `belong to effect oblige, not to ${rule.effect}`,
      next: 'use a second rule',
    });
  }
  return problems;
}

function checkWhen(document: PolicyDocument, when: RuleWhen | undefined, pointer: string): DocumentProblem[] {
  if (when === undefined) return [];
  const { any, not, command, ...plain } = when;
  const problems = unknownSets(document, plain, pointer, false);
  if (command?.argv !== undefined) {
    problems.push(...unknownSets(document, command.argv, `${pointer}/command/argv`, true));
  }
  if (when.time !== undefined) problems.push(...checkTime(when.time, `${pointer}/time`));
  problems.push(...(any ?? []).flatMap((one, index) => checkWhen(document, one, `${pointer}/any/${index}`)));
  problems.push(...checkWhen(document, not, `${pointer}/not`));
  return problems;
}

function checkTime(time: NonNullable<RuleWhen['time']>, pointer: string): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (!isTimeZone(time.tz)) {
    problems.push({
      pointer: `${pointer}/tz`,
      what: `names the unknown time zone ${time.tz}`,
      next: 'use a name such as Europe/Berlin or UTC',
    });
  }
  for (const key of ['from', 'to'] as const) {
    const text = time[key];
    if (text !== undefined && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) && text !== '24:00') {
      problems.push({
        pointer: `${pointer}/${key}`,
        what: `is no time of day: ${text}`,
        next: 'use 00:00 to 23:59',
      });
    }
  }
  return problems;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Every `set:name` below `value` must be a set of this document; the built-in one stands for commands alone. */
function unknownSets(
  document: PolicyDocument,
  value: unknown,
  pointer: string,
  commands: boolean,
): DocumentProblem[] {
  if (typeof value === 'string') {
    if (!value.startsWith('set:')) return [];
    const name = value.slice('set:'.length);
    const builtIn = commands && BUILT_IN_SETS.has(name);
    if (builtIn || (document.sets !== undefined && Object.hasOwn(document.sets, name))) return [];
    return [{ pointer, what: `names the unknown set ${name}`, next: 'declare it under sets' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    unknownSets(document, item, `${pointer}/${key}`, commands),
  );
}

/** Every matcher is compiled now, so that a bad one is a message about a file and not a throw in the middle of a run. */
function uncompilable(document: PolicyDocument): DocumentProblem[] {
  try {
    compilePolicies([document]);
    return [];
  } catch (error) {
    const pointer =
      typeof error === 'object' && error !== null && 'path' in error && typeof error.path === 'string'
        ? error.path
        : '';
    return [{ pointer, what: `does not compile (${messageOf(error)})`, next: 'correct the rule' }];
  }
}
