import type { CallSubject } from './call-view.js';
import type { Truth } from './truth.js';

/**
 * One compiled condition. `at` is the index of the simple command that is asked about, or WHOLE_CALL. Cheap ones are
 * evaluated first, so `cost` orders them; it changes nothing else.
 */
export interface Condition {
  readonly cost: number;
  readonly test: (subject: CallSubject, at: number) => Truth;
}

/**
 * How a condition errs where "matches" has two readings. A rule that restricts *catches*: one simple command is enough,
 * however it is spelt. A rule that allows *covers*: every simple command, as written. `not` turns one into the other;
 * else `deny unless every command is git` would let `git status; rm x` pass.
 */
export type Approach = 'catch' | 'cover';

export function opposite(approach: Approach): Approach {
  return approach === 'catch' ? 'cover' : 'catch';
}

/** What compiling a rule's conditions needs to know beside the condition itself. */
export interface ConditionContext {
  /** A list of the rule with its `set:name` members replaced. */
  readonly expand: (values: readonly string[], field: string) => readonly string[];
  /** Throws the one error of a rule that cannot be compiled: document, rule, field, what is wrong. */
  readonly fail: (field: string, problem: string) => never;
  readonly home: string | undefined;
  /** The rule allows something: claims that nobody vouches for prove nothing to it, not even below a `not`. */
  readonly grants: boolean;
}

/** What the call claims to touch may be used at all. */
export function believes(claimsTrusted: boolean, approach: Approach, context: ConditionContext): boolean {
  return claimsTrusted || (approach === 'catch' && !context.grants);
}

export const COST = { flag: 1, name: 2, host: 3, command: 4, path: 5, nested: 6, time: 7 } as const;

/** All of them, cheapest first; nothing asked is a yes. */
export function conjunction(conditions: readonly Condition[]): Condition['test'] {
  const tests = conditions.toSorted((left, right) => left.cost - right.cost).map(({ test }) => test);
  const [first, second] = tests;
  if (first === undefined) return () => 'yes';
  if (second === undefined) return first;
  return (subject, at) => {
    let result: Truth = 'yes';
    for (const test of tests) {
      const truth = test(subject, at);
      if (truth === 'no') return 'no';
      if (truth === 'unknown') result = 'unknown';
    }
    return result;
  };
}
