import { WrongStackError, type Capability } from '@wrongstack/contracts';
import type { PolicyDocument, PolicyRule } from '../documents/policy-document.js';
import { isRestricting, type CompiledRule } from './compiled-rule.js';
import { WHOLE_CALL, type CallSubject } from './match/call-view.js';
import { compileWhen } from './match/compile-when.js';
import { conjunction, type Approach, type Condition, type ConditionContext } from './match/condition.js';
import { compilePathList, type PathListTest } from './match/path-condition.js';
import { whoConditions } from './match/who-condition.js';
import { expandSets, type SetTable } from './expand-sets.js';
import { isSoft } from './tiers.js';

/** Compiles one rule, whole and now: whatever is wrong with it throws here, when the document loads. */
export function compileRule(
  rule: PolicyRule,
  index: number,
  document: PolicyDocument,
  sets: SetTable,
  home: string | undefined,
): CompiledRule {
  const { id, revision, scope } = document.metadata;
  const fail = (field: string, problem: string): never => {
    throw new WrongStackError('policy.rule-invalid', `policy ${id}: rule ${rule.id}: ${field}: ${problem}`, {
      path: `/rules/${index}/${field}`,
      hint: 'correct the rule; until then the document is not in force',
    });
  };
  const context: RuleContext = {
    expand: (values, field) => expandSets(values, sets, (problem) => fail(field, problem)),
    fail,
    home,
  };
  checkEffect(rule, scope.tier, fail);
  const expiry = momentOf(rule.expiresAt, 'expiresAt', fail);
  const documentExpiry = momentOf(document.metadata.expiresAt, 'metadata/expiresAt', fail);

  const allows = rule.effect === 'allow';
  // A restriction is asked the allowing way only where it overrides another rule, since that loosens.
  const covering = allows || rule.overrides !== undefined ? compileConditions(rule, 'cover', context) : NEVER;
  const catching = allows ? NEVER : compileConditions(rule, 'catch', context);
  // A moment that cannot be read keeps a restriction and ends an allow.
  const catches = (subject: CallSubject, at: number): boolean =>
    (expiry === Infinity || !(subject.call.now >= expiry)) && catching(subject, at) !== 'no';
  // Restrictions of a document outlive it, what it allows does not.
  const allowedUntil = Math.min(expiry, documentExpiry);
  const covers = (subject: CallSubject, at: number): boolean =>
    (allowedUntil === Infinity || subject.call.now < allowedUntil) && covering(subject, at) === 'yes';
  const coversSome = (subject: CallSubject): boolean => {
    for (const at of subject.carriers) if (covers(subject, at)) return true;
    return false;
  };

  return {
    id: rule.id,
    effect: rule.effect,
    tier: scope.tier,
    document: id,
    revision,
    rule,
    enforced: document.mode !== 'shadow' && rule.mode !== 'shadow',
    actions: actionsOf(rule, context),
    matches: allows ? coversSome : (subject) => catches(subject, WHOLE_CALL),
    catches,
    covers,
    namesPath: namedPaths(rule, context),
  };
}

type RuleContext = Omit<ConditionContext, 'grants'>;

const NEVER: Condition['test'] = () => 'no';

function compileConditions(rule: PolicyRule, approach: Approach, common: RuleContext): Condition['test'] {
  const context: ConditionContext = { ...common, grants: approach === 'cover' };
  const conditions: Condition[] = [];
  if (rule.who !== undefined) conditions.push(...whoConditions(rule.who, context));
  if (rule.when !== undefined) conditions.push(...compileWhen(rule.when, approach, context));
  if (approach === 'cover' && rule.when?.command === undefined) conditions.push(NOTHING_SENSITIVE);
  return conjunction(conditions);
}

/** No allow covers an assignment, a redirect or a substitution that it does not name, whatever else it asks. */
const NOTHING_SENSITIVE: Condition = {
  cost: 0,
  test: ({ call }, at) => ((call.commands[at]?.sensitive.length ?? 0) > 0 ? 'no' : 'yes'),
};

/** Who denies `fs.write` means files anywhere; who allows it means the project's. */
function actionsOf(rule: PolicyRule, context: RuleContext): readonly Capability[] {
  const actions = new Set(context.expand(rule.actions, 'actions'));
  if (actions.size === 0) context.fail('actions', 'no capability is left once the sets are resolved');
  if (rule.effect !== 'allow' && actions.has('fs.write')) actions.add('fs.write.outside-project');
  return [...actions];
}

/** Compiled when first asked: whatever could be wrong with these globs was found when the conditions were. */
function namedPaths(rule: PolicyRule, context: RuleContext): CompiledRule['namesPath'] {
  const named = rule.when?.path?.every ?? rule.when?.path?.some;
  if (named === undefined) return null;
  // What allows must name all that is read; what restricts is about any of it.
  const quantifier = rule.effect === 'allow' ? 'every' : 'some';
  let test: PathListTest | null = null;
  return (path, project) =>
    (test ??= compilePathList(named, 'when/path', quantifier, context))(path, project);
}

function checkEffect(
  rule: PolicyRule,
  tier: PolicyDocument['metadata']['scope']['tier'],
  fail: ConditionContext['fail'],
): void {
  const legal = !isSoft(tier) || rule.effect === 'confirm' || (tier === 'builtin' && rule.effect === 'allow');
  if (!legal) fail('effect', `a document of tier ${tier} can only confirm: use tier org to ${rule.effect}`);
  if (rule.effect === 'approve' && rule.approvers === undefined)
    fail('approvers', 'say who approves, and how many');
  if (rule.effect === 'oblige' && rule.obligations === undefined) fail('obligations', 'say what is obliged');
  if (rule.acknowledgeDestructive === true && (isRestricting(rule.effect) || rule.effect === 'oblige')) {
    fail('acknowledgeDestructive', 'only an allow acknowledges');
  }
}

function momentOf(written: string | undefined, field: string, fail: ConditionContext['fail']): number {
  if (written === undefined) return Infinity;
  const moment = Date.parse(written);
  return Number.isNaN(moment)
    ? fail(field, `"${written}" is no date and time: write 2026-01-31T12:00:00Z`)
    : moment;
}
