import type { PathFact } from '@wrongstack/contracts';
import type { RuleWhen } from '../../documents/policy-document.js';
import { WHOLE_CALL, type CallSubject } from './call-view.js';
import { believes, COST, type Approach, type Condition, type ConditionContext } from './condition.js';
import { compilePathGlob, type GlobPath, type PathTest } from './path-glob.js';
import { both, truthOf, type Truth } from './truth.js';

type When = NonNullable<RuleWhen['path']>;

/** Is one path meant by a list of globs? */
export type PathListTest = (path: PathFact) => Truth;

export function pathCondition(when: When, approach: Approach, context: ConditionContext): Condition {
  const every = when.every === undefined ? null : compilePathList(when.every, 'when/path/every', context);
  const some = when.some === undefined ? null : compilePathList(when.some, 'when/path/some', context);
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
  context: Omit<ConditionContext, 'grants'>,
): PathListTest {
  const tests: PathTest[] = context.expand(globs, field).map((glob) => {
    const test = compilePathGlob(glob, context.home);
    return typeof test === 'string' ? context.fail(field, `"${glob}": ${test}`) : test;
  });
  return (path) => {
    const { real } = path;
    if (real === null || path.claimed === null) return 'unknown';
    const subject: GlobPath = { real, relative: path.inside ? path.relative : null };
    let unknown = false;
    for (const test of tests) {
      if (test === null) unknown = true;
      else if (test(subject)) return 'yes';
    }
    return unknown ? 'unknown' : 'no';
  };
}

function everyPath(subject: CallSubject, at: number, approach: Approach, isMeant: PathListTest): Truth {
  const { paths } = subject.call;
  if (paths === null) return 'unknown';
  let result: Truth = 'yes';
  let asked = false;
  for (const path of paths) {
    if (!isAbout(path, subject, at, approach)) continue;
    asked = true;
    result = both(result, isMeant(path));
    if (result === 'no') return 'no';
  }
  return asked ? result : 'unknown';
}

function somePath(subject: CallSubject, at: number, approach: Approach, isMeant: PathListTest): Truth {
  const { paths } = subject.call;
  if (paths === null) return 'unknown';
  let result: Truth = 'no';
  for (const path of paths) {
    if (!isAbout(path, subject, at, approach)) continue;
    const truth = isMeant(path);
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
    if (tests.some((test) => test?.({ real, relative }) === true)) return 'yes';
    return tests.includes(null) ? 'unknown' : truthOf(false);
  };
}
