import type { Facts, McpFact, RiskTier } from '@wrongstack/contracts';
import type { RuleWhen } from '../../documents/policy-document.js';
import { believes, COST, type Approach, type Condition, type ConditionContext } from './condition.js';
import { compileFolderList } from './path-condition.js';
import { compileTimeWindow } from './time-window.js';
import { truthOf, type Truth } from './truth.js';
import { compileUrlGlob } from './url-glob.js';
import { compileWordGlobs } from './word-glob.js';

/** The conditions over single facts: tool, owner, risk tier, session, folders, time. */
export function callConditions(when: RuleWhen, approach: Approach, context: ConditionContext): Condition[] {
  const conditions: Condition[] = [];
  const add = (cost: number, test: (facts: Facts) => Truth): void => {
    conditions.push({ cost, test: ({ call }) => test(call.facts) });
  };

  for (const key of ['tool', 'owner'] as const) {
    const values = when[key];
    if (values === undefined) continue;
    const isNamed = compileWordGlobs(context.expand(values, `when/${key}`));
    add(COST.name, (facts) => truthOf(isNamed(facts[key])));
  }
  if (when.riskTier !== undefined) {
    const isMeant = riskTest(when.riskTier, approach);
    // A tier that was never declared is unknown even though the call counts as `standard` elsewhere.
    add(COST.flag, ({ riskTier, callRisk }) =>
      riskTier === 'unknown' ? 'unknown' : truthOf(isMeant(callRisk)),
    );
  }
  for (const key of ['sandboxed', 'interactive'] as const) {
    const wanted = when[key];
    if (wanted !== undefined) add(COST.flag, (facts) => truthOf(facts.session[key] === wanted));
  }
  const { background } = when;
  if (background !== undefined) add(COST.flag, (facts) => truthOf(facts.background === background));
  if (when.mcp !== undefined) conditions.push(mcpCondition(when.mcp, context));
  if (when.project !== undefined) {
    const isMeant = compileFolderList(when.project, 'when/project', context);
    add(COST.path, (facts) => isMeant(facts.project, ''));
  }
  if (when.cwd !== undefined) {
    const isMeant = compileFolderList(when.cwd, 'when/cwd', context);
    add(COST.path, (facts) => {
      // The working folder is a claim as well.
      if (!believes(facts.claimsTrusted, approach, context)) return 'unknown';
      return isMeant(facts.cwd, facts.cwd === null ? null : relativeTo(facts.project, facts.cwd));
    });
  }
  if (when.time !== undefined) {
    const isInside = compileTimeWindow(when.time);
    if (typeof isInside === 'string') return context.fail('when/time', isInside);
    conditions.push({
      cost: COST.time,
      test: ({ call }) => (Number.isNaN(call.now) ? 'unknown' : truthOf(isInside(call.now))),
    });
  }
  return conditions;
}

const RISKS: readonly RiskTier[] = ['safe', 'standard', 'destructive'];

/**
 * Who restricts standard calls means destructive ones all the more, and who allows them means safe ones as well. Read
 * literally, a call could be let through for being more dangerous than the rule's author thought of.
 */
function riskTest(tiers: readonly RiskTier[], approach: Approach): (risk: RiskTier) => boolean {
  const ranks = tiers.map((tier) => RISKS.indexOf(tier));
  const [lowest, highest] = [Math.min(...ranks), Math.max(...ranks)];
  return approach === 'catch'
    ? (risk) => RISKS.indexOf(risk) >= lowest
    : (risk) => RISKS.indexOf(risk) <= highest;
}

function relativeTo(project: string, folder: string): string | null {
  if (folder === project) return '';
  const root = /[/\\]$/.test(project) ? project : project + (project.includes('\\') ? '\\' : '/');
  return folder.startsWith(root) ? folder.slice(root.length).replaceAll('\\', '/') : null;
}

function mcpCondition(when: NonNullable<RuleWhen['mcp']>, context: ConditionContext): Condition {
  const tests: ((mcp: McpFact) => boolean)[] = [];
  for (const key of ['server', 'commandDigest', 'toolDigest'] as const) {
    const values = when[key];
    if (values === undefined) continue;
    const isNamed = compileWordGlobs(context.expand(values, `when/mcp/${key}`));
    tests.push((mcp) => mcp[key] !== null && isNamed(mcp[key]));
  }
  if (when.url !== undefined) {
    const globs = context.expand(when.url, 'when/mcp/url').map(compileUrlGlob);
    tests.push(({ url }) => url !== null && globs.some((test) => test(url)));
  }
  const { pinned } = when;
  if (pinned !== undefined) tests.push((mcp) => mcp.pinned === pinned);
  return {
    cost: COST.name,
    test: ({ call: { facts } }) =>
      truthOf(facts.mcp !== null && tests.every((test) => test(facts.mcp as McpFact))),
  };
}
