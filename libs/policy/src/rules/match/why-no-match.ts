import type { Facts } from '@wrongstack/contracts';
import type { RuleWhen } from '../../documents/policy-document.js';
import type { CompiledRule } from '../compiled-rule.js';
import { CallView } from './call-view.js';

/**
 * Why a rule does not match, in one line for people: `tool is not test, lint, typecheck`. Names what the rule asks about
 * and this call is not; it explains, it does not decide.
 */
export function whyNoMatch(rule: CompiledRule, facts: Facts): string {
  const view = new CallView(facts);
  if (!isAboutCapability(rule, facts)) return `no capability of the call is ${list(rule.actions)}`;
  const { when, who, expiresAt } = rule.rule;
  if (expiresAt !== undefined && view.now >= Date.parse(expiresAt)) return `it expired at ${expiresAt}`;
  const probes: string[] = [];
  for (const [key, wanted] of Object.entries(who ?? {})) {
    const identity = key === 'role' ? facts.actor.roles.map(({ name }) => name) : whoIs(facts, key);
    probes.push(`${key} is ${nameList(identity)}, it is about ${nameList(wanted)}`);
  }
  return firstUnmet(rule, facts, when ?? {}) ?? probes[0] ?? 'it is about other calls';
}

function isAboutCapability(rule: CompiledRule, facts: Facts): boolean {
  return facts.effective.some(({ name }) => rule.actions.includes('*') || rule.actions.includes(name));
}

/** The first condition, in the order of the text, that a person would name. */
function firstUnmet(rule: CompiledRule, facts: Facts, when: RuleWhen): string | null {
  if (when.tool !== undefined && !when.tool.includes(facts.tool)) return `tool is not ${list(when.tool)}`;
  if (when.owner !== undefined && !when.owner.includes(facts.owner))
    return `owner is not ${list(when.owner)}`;
  if (when.riskTier !== undefined && !when.riskTier.includes(facts.callRisk)) {
    return `risk tier is ${facts.riskTier}, not ${list(when.riskTier)}`;
  }
  if (when.mcp !== undefined && facts.mcp === null) return 'it is no MCP tool';
  if (when.command !== undefined) {
    const wanted = when.command.argv
      ?.map((word) => (typeof word === 'string' ? word : word.join('|')))
      .join(' ');
    return wanted === undefined
      ? `no command has ${list(when.command.has ?? [])}`
      : unmatchedCommand(rule, facts, wanted);
  }
  if (when.path !== undefined)
    return `paths are not ${list([...(when.path.every ?? []), ...(when.path.some ?? [])])}`;
  if (when.host !== undefined)
    return `hosts are not ${list([...(when.host.every ?? []), ...(when.host.some ?? [])])}`;
  for (const key of ['sandboxed', 'interactive'] as const) {
    if (when[key] !== undefined && facts.session[key] !== when[key]) return `${key} is ${facts.session[key]}`;
  }
  if (when.background !== undefined && facts.background !== when.background) {
    return `background is ${facts.background}`;
  }
  if (when.time !== undefined)
    return `it is outside ${when.time.from ?? '00:00'}-${when.time.to ?? '24:00'} ${when.time.tz}`;
  return null;
}

function unmatchedCommand(rule: CompiledRule, { command }: Facts, wanted: string): string {
  if (command === null) return 'the call runs no command';
  if (command === 'unknown') return 'the command is unknown';
  if (rule.effect === 'allow' && command.unparsed) return 'the command cannot be read whole';
  // A set is a name for many, and no command is called so.
  const named = wanted.startsWith('set:') ? `one of ${wanted.slice('set:'.length)}` : `"${wanted}"`;
  return rule.effect === 'allow' ? `a command is not ${named} as written` : `no command is ${named}`;
}

function whoIs({ actor }: Facts, key: string): string | null {
  switch (key) {
    case 'org':
    case 'team':
    case 'user':
    case 'agent':
      return actor[key] === null
        ? null
        : `${actor[key].name}${actor[key].authenticated ? '' : ' (not verified)'}`;
    case 'plugin':
    case 'subagent':
      return actor[key];
    default:
      return null;
  }
}

function nameList(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return 'nobody';
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
}

function list(values: readonly string[]): string {
  return values.join(', ');
}
