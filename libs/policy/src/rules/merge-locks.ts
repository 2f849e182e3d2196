import type { PolicyBudget, PolicyDocument, PolicyLocks } from '../documents/policy-document.js';
import type { AllowedPlugin, MergedLocks, PluginLocks } from './merged-locks.js';

/** What holds for a key that no central document sets. */
export const DEFAULT_LOCKS: MergedLocks = {
  yolo: 'on',
  trustGrants: 'persistent',
  trustTtlHours: 168,
  headlessConfirm: 'deny',
  onUndetermined: 'restricted',
  staleGraceHours: 24,
  subagentMaxDepth: 2,
  plugins: { require: [], allow: null, project: 'deny', mutation: 'superset', enforceCapabilities: false },
  budget: { run: [], user: [], team: [] },
  auditFailure: 'deny',
  profile: null,
};

// Each list runs from the strictest value to the loosest.
const YOLO = ['off', 'in-sandbox', 'on'] as const;
const TRUST = ['off', 'session', 'persistent'] as const;
const HEADLESS = ['deny', 'queue'] as const;
const UNDETERMINED = ['refuse', 'restricted'] as const;
const AUDIT = ['deny', 'allow-safe'] as const;
const PROJECT_PLUGINS = ['deny', 'trusted'] as const;
const MUTATION = ['none', 'superset', 'overlap'] as const;
const PROFILE = ['strict', 'guide', 'balanced'] as const;

/**
 * Merges locks key by key. Org, team and orgDefault documents set a key, the strictest of them wins, and a default
 * counts where none of them says anything; then all other documents may tighten the result.
 */
export function mergeLocks(documents: readonly PolicyDocument[]): MergedLocks {
  const setting: Layer = { locks: [], orgLocks: [] };
  const tightening: Layer = { locks: [], orgLocks: [] };
  for (const document of documents) {
    const { tier } = document.metadata.scope;
    const layer = tier === 'org' || tier === 'team' || tier === 'orgDefault' ? setting : tightening;
    if (document.locks === undefined) continue;
    layer.locks.push(document.locks);
    if (tier === 'org') layer.orgLocks.push(document.locks);
  }

  const rank = <V extends string>(
    read: (locks: PolicyLocks) => V | undefined,
    order: readonly V[],
    unset: V,
  ): V => {
    const pick = (locks: readonly PolicyLocks[]): V[] => locks.flatMap((lock) => read(lock) ?? []);
    const set = pick(setting.locks);
    return strictest([...(set.length > 0 ? set : [unset]), ...pick(tightening.locks)], order);
  };
  const least = (key: 'trustTtlHours' | 'staleGraceHours' | 'subagentMaxDepth'): number => {
    const pick = (locks: readonly PolicyLocks[]): number[] => locks.flatMap((lock) => lock[key] ?? []);
    const set = pick(setting.locks);
    return Math.min(...(set.length > 0 ? set : [DEFAULT_LOCKS[key]]), ...pick(tightening.locks));
  };

  return {
    yolo: rank((locks) => locks.yolo, YOLO, DEFAULT_LOCKS.yolo),
    trustGrants: rank((locks) => locks.trustGrants, TRUST, DEFAULT_LOCKS.trustGrants),
    trustTtlHours: least('trustTtlHours'),
    headlessConfirm: rank((locks) => locks.headlessConfirm, HEADLESS, DEFAULT_LOCKS.headlessConfirm),
    onUndetermined: rank((locks) => locks.onUndetermined, UNDETERMINED, DEFAULT_LOCKS.onUndetermined),
    staleGraceHours: least('staleGraceHours'),
    subagentMaxDepth: least('subagentMaxDepth'),
    plugins: mergePlugins(setting, tightening),
    budget: mergeBudgets([...setting.locks, ...tightening.locks]),
    auditFailure: rank((locks) => locks.auditFailure, AUDIT, DEFAULT_LOCKS.auditFailure),
    profile: mergeProfile(setting.locks, tightening.locks),
  };
}

interface Layer {
  readonly locks: PolicyLocks[];
  readonly orgLocks: PolicyLocks[];
}

function strictest<V extends string>(values: readonly V[], order: readonly V[]): V {
  return values.reduce((left, right) => (order.indexOf(right) < order.indexOf(left) ? right : left));
}

/** Where nobody fixes a profile the person chooses, so a document below the centre can fix the strict one only. */
function mergeProfile(
  setting: readonly PolicyLocks[],
  tightening: readonly PolicyLocks[],
): MergedLocks['profile'] {
  const set = setting.flatMap((lock) => lock.profile ?? []);
  const extra = tightening.flatMap((lock) => lock.profile ?? []);
  if (set.length > 0) return strictest([...set, ...extra], PROFILE);
  return extra.includes('strict') ? 'strict' : null;
}

function mergePlugins(setting: Layer, tightening: Layer): PluginLocks {
  const all = [...setting.locks, ...tightening.locks].flatMap((lock) => lock.plugins ?? []);
  const set = setting.locks.flatMap((lock) => lock.plugins ?? []);
  const extra = tightening.locks.flatMap((lock) => lock.plugins ?? []);
  const rank = <V extends string>(key: 'project' | 'mutation', order: readonly V[]): V => {
    const pick = (plugins: readonly NonNullable<PolicyLocks['plugins']>[]): V[] =>
      plugins.flatMap((plugin) => (plugin[key] === undefined ? [] : [plugin[key] as V]));
    const base = pick(set);
    return strictest(
      [...(base.length > 0 ? base : [DEFAULT_LOCKS.plugins[key] as V]), ...pick(extra)],
      order,
    );
  };
  return {
    require: [...new Set(all.flatMap((plugin) => plugin.require ?? []))].sort(),
    allow: mergeAllowed(
      all.flatMap((plugin) => (plugin.allow === undefined ? [] : [plugin.allow])),
      setting.orgLocks.flatMap((lock) => lock.plugins?.allow ?? []),
    ),
    project: rank('project', PROJECT_PLUGINS),
    mutation: rank('mutation', MUTATION),
    enforceCapabilities: all.some((plugin) => plugin.enforceCapabilities === true),
  };
}

type AllowList = NonNullable<NonNullable<PolicyLocks['plugins']>['allow']>;

/** Only what every list names may load, and only an org document can vouch for a plugin's claims. */
function mergeAllowed(lists: readonly AllowList[], orgEntries: AllowList): readonly AllowedPlugin[] | null {
  const [first, ...others] = lists;
  if (first === undefined) return null;
  const same = (left: AllowList[number], right: AllowList[number]): boolean =>
    left.name === right.name && left.digest === right.digest;
  return first
    .filter((entry) => others.every((list) => list.some((other) => same(entry, other))))
    .map((entry) => {
      const vouched = orgEntries.some((org) => same(org, entry) && org.claims === true);
      const doubted = lists.some((list) =>
        list.some((other) => same(other, entry) && other.claims === false),
      );
      return { name: entry.name, digest: entry.digest, claims: vouched && !doubted };
    });
}

function mergeBudgets(locks: readonly PolicyLocks[]): MergedLocks['budget'] {
  const collect = (scope: 'run' | 'user' | 'team'): PolicyBudget[] =>
    locks.flatMap((lock) => lock.budget?.[scope] ?? []);
  return { run: collect('run'), user: collect('user'), team: collect('team') };
}
