import type { PathFact } from '@wrongstack/contracts';
import type { RuleWhen } from '../../documents/policy-document.js';
import { WHOLE_CALL, type CallSubject } from './call-view.js';
import { believes, COST, type Approach, type Condition, type ConditionContext } from './condition.js';
import { compilePathGlob, type GlobPath, type PathGlob, type PathTest } from './path-glob.js';
import { both, truthOf, type Truth } from './truth.js';

type When = NonNullable<RuleWhen['path']>;

/** Which of the paths that one fact stands for must be meant. For a path that is not recursive it is one path. */
type Quantifier = 'every' | 'some';

/** Is what one fact stands for meant by a list of globs? `project` is a real path. */
export type PathListTest = (path: PathFact, project: string) => Truth;

export function pathCondition(when: When, approach: Approach, context: ConditionContext): Condition {
  const every =
    when.every === undefined ? null : compilePathList(when.every, 'when/path/every', 'every', context);
  const some = when.some === undefined ? null : compilePathList(when.some, 'when/path/some', 'some', context);
  const ask = (subject: CallSubject, at: number): Truth => {
    if (!believes(subject.call.facts.claimsTrusted, approach, context)) return 'unknown';
    const first = every === null ? 'yes' : everyPath(subject, at, approach, every);
    return some === null || first === 'no' ? first : both(first, somePath(subject, at, approach, some));
  };
  return { cost: COST.path, test: ask };
}

export function compilePathList(
  globs: readonly string[],
  field: string,
  quantifier: Quantifier,
  context: Omit<ConditionContext, 'grants'>,
): PathListTest {
  const tests: PathTest[] = context.expand(globs, field).map((glob) => {
    const test = compilePathGlob(glob, context.home);
    return typeof test === 'string' ? context.fail(field, `"${glob}": ${test}`) : test;
  });
  const known = tests.filter((test) => test !== null);
  const otherwise: Truth = known.length < tests.length ? 'unknown' : 'no';
  return (path, project) => {
    const { real } = path;
    if (real === null || path.claimed === null) return 'unknown';
    const subject: GlobPath = { real, relative: path.inside ? path.relative : null };
    const named = known.some((test) => test.matches(subject));
    if (path.recursive !== true) return named ? 'yes' : otherwise;
    return below(known, { ...subject, aroundProject: isAbove(real, project) }, quantifier, named, otherwise);
  };
}

/**
 * A folder that is read or changed recursively stands for itself and for all that is below it. What is there is not looked at: a
 * file may appear between the decision and the read, and a large tree would make every decision slow. So a glob that
 * could match something below leaves the answer open.
 */
function below(
  globs: readonly PathGlob[],
  folder: GlobPath,
  quantifier: Quantifier,
  named: boolean,
  otherwise: Truth,
): Truth {
  switch (quantifier) {
    case 'some':
      if (named) return 'yes';
      return globs.some((glob) => glob.mayMatchBelow(folder)) ? 'unknown' : otherwise;
    case 'every':
      if (globs.some((glob) => glob.matchesAll(folder))) return 'yes';
      return named ? 'unknown' : otherwise;
  }
}

function isAbove(folder: string, project: string): boolean {
  const root = /[/\\]$/.test(folder) ? folder : folder + (folder.includes('\\') ? '\\' : '/');
  return project !== folder && project.startsWith(root);
}

function everyPath(subject: CallSubject, at: number, approach: Approach, isMeant: PathListTest): Truth {
  const { paths, facts } = subject.call;
  if (paths === null) return 'unknown';
  let result: Truth = 'yes';
  let asked = false;
  for (const path of paths) {
    if (!isAbout(path, subject, at, approach)) continue;
    asked = true;
    result = both(result, isMeant(path, facts.project));
    if (result === 'no') return 'no';
  }
  return asked ? result : 'unknown';
}

function somePath(subject: CallSubject, at: number, approach: Approach, isMeant: PathListTest): Truth {
  const { paths, facts } = subject.call;
  if (paths === null) return 'unknown';
  let result: Truth = 'no';
  for (const path of paths) {
    if (!isAbout(path, subject, at, approach)) continue;
    const truth = isMeant(path, facts.project);
    if (truth === 'yes') return 'yes';
    if (truth === 'unknown') result = 'unknown';
  }
  return result;
}

/**
 * A rule about `fs.write` asks which paths are written: `cat infra/a > out` writes `out` and nothing in `infra`. Claims
 * that are not trusted do not get the benefit of that distinction.
 */
function isAbout(path: PathFact, subject: CallSubject, at: number, approach: Approach): boolean {
  if (at !== WHOLE_CALL && path.command !== null && path.command !== at) return false;
  if (approach === 'catch' && !subject.call.facts.claimsTrusted) return true;
  switch (subject.capability) {
    case 'fs.read':
      return path.access === 'read';
    case 'fs.write':
      return path.access === 'write';
    case 'fs.write.outside-project':
      return path.access === 'write' && !path.inside;
    default:
      return true;
  }
}

/** Where a folder lies, for `project` and `cwd`. */
export function compileFolderList(
  globs: readonly string[],
  field: string,
  context: ConditionContext,
): (real: string | null, relative: string | null) => Truth {
  const tests = context.expand(globs, field).map((glob) => {
    const test = compilePathGlob(glob, context.home);
    return typeof test === 'string' ? context.fail(field, `"${glob}": ${test}`) : test;
  });
  return (real, relative) => {
    if (real === null) return 'unknown';
    if (tests.some((test) => test?.matches({ real, relative }) === true)) return 'yes';
    return tests.includes(null) ? 'unknown' : truthOf(false);
  };
}
