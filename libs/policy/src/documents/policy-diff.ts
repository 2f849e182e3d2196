import { canonicalJson } from '@wrongstack/contracts';
import type { PolicyDocument, PolicyLocks, PolicyRule, RuleEffect } from './policy-document.js';

export interface PolicyChange {
  /** `/rules/no-prod/effect`, `/locks/yolo`, `/sets/registries`. */
  readonly field: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** What it does to calls, as far as the field alone tells. */
  readonly direction: 'tightens' | 'loosens' | 'either';
  readonly before: unknown;
  readonly after: unknown;
}

/** What a person has to look at before publishing `after` in place of `before`. Sorted by field; empty when both mean the same. */
export function diffPolicies(
  before: PolicyDocument | null,
  after: PolicyDocument | null,
): readonly PolicyChange[] {
  return [
    ...diffMembers('/metadata', before?.metadata ?? {}, after?.metadata ?? {}, () => 'either'),
    ...diffMembers('', { mode: before?.mode }, { mode: after?.mode }, () => 'either'),
    ...diffMembers('', { rollout: before?.rollout }, { rollout: after?.rollout }, () => 'either'),
    ...diffMembers('/locks', before?.locks ?? {}, after?.locks ?? {}, lockDirection),
    ...diffMembers('/sets', before?.sets ?? {}, after?.sets ?? {}, () => 'either'),
    ...diffRules(before?.rules ?? [], after?.rules ?? []),
    ...diffMembers('/tests', testsByName(before), testsByName(after), () => 'either'),
  ].sort((a, b) => (a.field < b.field ? -1 : 1));
}

type Direction = PolicyChange['direction'];
type Judge = (name: string, before: unknown, after: unknown) => Direction;

function diffMembers(prefix: string, before: object, after: object, judge: Judge): PolicyChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): PolicyChange[] => {
    const [old, now] = [own(before, name), own(after, name)];
    if (stable(old) === stable(now)) return [];
    const kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return [{ field: `${prefix}/${name}`, kind, direction: judge(name, old, now), before: old, after: now }];
  });
}

function diffRules(before: readonly PolicyRule[], after: readonly PolicyRule[]): PolicyChange[] {
  const old = new Map(before.map((rule) => [rule.id, rule]));
  const now = new Map(after.map((rule) => [rule.id, rule]));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((id): PolicyChange[] => {
    const [was, is] = [old.get(id), now.get(id)];
    if (was !== undefined && is !== undefined) {
      return diffMembers(`/rules/${id}`, was, is, (name, a, b) =>
        name === 'effect' ? compare(rank(a as RuleEffect), rank(b as RuleEffect)) : 'either',
      );
    }
    const rule = is ?? was;
    if (rule === undefined) return [];
    const asks = rule.effect === 'allow' ? 'loosens' : 'tightens';
    const direction = is === undefined ? (asks === 'loosens' ? 'tightens' : 'loosens') : asks;
    return [
      {
        field: `/rules/${id}`,
        kind: is === undefined ? 'removed' : 'added',
        direction,
        before: was,
        after: is,
      },
    ];
  });
}

/** Loosest to strictest; an obligation changes how a call runs, not whether. */
const EFFECTS: readonly RuleEffect[] = ['allow', 'oblige', 'confirm', 'approve', 'deny'];
const rank = (effect: RuleEffect): number => EFFECTS.indexOf(effect);

/** Loosest to strictest, for the locks that are a scale. */
const LOCK_SCALES: Readonly<Partial<Record<keyof PolicyLocks, readonly string[]>>> = {
  yolo: ['on', 'in-sandbox', 'off'],
  trustGrants: ['persistent', 'session', 'off'],
  headlessConfirm: ['queue', 'deny'],
  onUndetermined: ['restricted', 'refuse'],
  auditFailure: ['allow-safe', 'deny'],
  profile: ['balanced', 'guide', 'strict'],
};

const SMALLER_IS_STRICTER: ReadonlySet<string> = new Set([
  'trustTtlHours',
  'staleGraceHours',
  'subagentMaxDepth',
]);

const lockDirection: Judge = (name, before, after) => {
  if (typeof before === 'number' && typeof after === 'number' && SMALLER_IS_STRICTER.has(name)) {
    return compare(-before, -after);
  }
  const scale = Object.hasOwn(LOCK_SCALES, name) ? LOCK_SCALES[name as keyof PolicyLocks] : undefined;
  if (scale === undefined || typeof before !== 'string' || typeof after !== 'string') return 'either';
  return compare(scale.indexOf(before), scale.indexOf(after));
};

function compare(before: number, after: number): Direction {
  return after > before ? 'tightens' : after < before ? 'loosens' : 'either';
}

function testsByName(document: PolicyDocument | null): Record<string, unknown> {
  return Object.fromEntries((document?.tests ?? []).map((test) => [test.name, test]));
}

function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/** The order of keys means nothing. */
function stable(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}
