import { escapePath, escapeWord } from '../trust/offer-trust.js';
import type { PolicyRule, RuleWhen } from './policy-document.js';

/** For whom, for how long and why a rule is lifted. */
export interface ExceptionTerms {
  readonly id: string;
  readonly user: string;
  /** ISO 8601; from then on the rule binds again by itself. */
  readonly until: string;
  readonly because: string;
}

const MOST_PARTS = 20;
/** What an allow covers only where it says so. */
const NAMED_TRAITS = ['redirect', 'substitution', 'envAssign'] as const;

/**
 * The rule that lifts `target` for one person and the call of `facts`: commands that begin with these words (an allow matches a prefix), these
 * paths, these hosts.
 * `facts` come from outside and may hold anything. Gives a reason instead where the call cannot be named exactly.
 */
export function exceptionRule(
  target: Pick<PolicyRule, 'id' | 'actions'>,
  facts: unknown,
  { id, user, until, because }: ExceptionTerms,
): PolicyRule | string {
  const when = exactly(facts);
  if (typeof when === 'string') return when;
  return {
    id,
    effect: 'allow',
    actions: target.actions,
    who: { user: [user] },
    when,
    overrides: [target.id],
    expiresAt: until,
    because,
  };
}

function exactly(facts: unknown): RuleWhen | string {
  const tool = textOf(member(facts, 'tool'));
  if (tool === null) return 'the request does not say which tool it is about';
  const command = member(facts, 'command');
  const paths = member(facts, 'paths');
  const hosts = member(facts, 'hosts');
  if (command === 'unknown' || paths === 'unknown' || hosts === 'unknown')
    return 'it is not known what the call touches';
  const named = { tool: [escapeWord(tool)] };
  if (command !== null && command !== undefined) {
    const branches = commandBranches(command);
    if (typeof branches === 'string') return branches;
    const [only] = branches;
    return branches.length === 1 && only !== undefined
      ? { ...named, ...only }
      : { ...named, any: [...branches] };
  }
  const files = listOf(paths).map((path) => textOf(member(path, 'real')));
  const names = listOf(hosts).map((host) => textOf(member(host, 'host')));
  if (files.includes(null) || names.includes(null)) return 'a path or a host of the call is not known';
  return {
    ...named,
    ...(files.length === 0
      ? {}
      : { path: { every: files.map((file) => escapePath((file ?? '').replaceAll('\\', '/'))) } }),
    ...(names.length === 0 ? {} : { host: { every: names.map((name) => name ?? '') } }),
  };
}

/** One branch a simple command: each must be covered, and none covers more than its own words. */
function commandBranches(command: unknown): readonly RuleWhen[] | string {
  if (member(command, 'unparsed') !== false) return 'the command cannot be read whole';
  const commands = listOf(member(command, 'commands')).filter(
    (one) => member(one, 'wrapper') !== 'transparent' || listOf(member(one, 'inner')).length === 0,
  );
  if (commands.length === 0 || commands.length > MOST_PARTS)
    return `the command has no parts, or more than ${MOST_PARTS}`;
  const branches: RuleWhen[] = [];
  for (const one of commands) {
    const words = listOf(member(one, 'argv')).map(textOf);
    if (words.length === 0 || words.includes(null)) return 'a part of the command is known only when it runs';
    const traits = listOf(member(one, 'traits'));
    const has = NAMED_TRAITS.filter((trait) => traits.includes(trait));
    const argv = words.map((word) => escapeWord(word ?? ''));
    branches.push({ command: { argv, ...(has.length === 0 ? {} : { has }) } });
  }
  return branches;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
