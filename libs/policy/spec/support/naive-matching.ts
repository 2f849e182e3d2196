import type {
  ActorFacts,
  Facts,
  HostFact,
  Identity,
  PathFact,
  ShellTrait,
  SimpleCommand,
} from '@wrongstack/contracts';
import type { PolicyDocument, PolicyRule, RuleWhen } from '../../src/documents/policy-document.js';
import { HOME } from './synthetic-facts.js';

/**
 * Matching as decisions.md tells it, written for the reader and not for speed: no compilation, no index, a regular
 * expression for each glob. It shares no code with the engine, so that a mistake must be made twice to stay hidden.
 */
export type Answer = true | false | null;

export interface Question {
  readonly facts: Facts;
  readonly actor: ActorFacts;
  readonly capability: string;
  /** One simple command, or 'call' for the call as a whole. */
  readonly at: number | 'call';
  /** Does the rule restrict (one is enough) or allow (all are needed) at this point of the condition? */
  readonly restricts: boolean;
  /** Is something to be allowed by the answer in the end? Then untrusted claims prove nothing. */
  readonly loosens: boolean;
}

const not = (answer: Answer): Answer => (answer === null ? null : !answer);
const all = (answers: readonly Answer[]): Answer =>
  answers.includes(false) ? false : answers.includes(null) ? null : true;
const some = (answers: readonly Answer[]): Answer =>
  answers.includes(true) ? true : answers.includes(null) ? null : false;

export function ruleHolds(rule: PolicyRule, document: PolicyDocument, question: Question): Answer {
  const answers: Answer[] = [];
  const { who = {}, when = {} } = rule;
  const { actor } = question;
  for (const key of ['org', 'team', 'user', 'agent'] as const) {
    const names = listOf(who[key], document);
    if (names !== undefined) answers.push(identityHolds(actor[key], names));
  }
  const roles = listOf(who.role, document);
  if (roles !== undefined) {
    answers.push(
      some([
        ...actor.roles.map((role) => identityHolds(role, roles)),
        actor.user?.authenticated === true ? false : null,
      ]),
    );
  }
  const plugins = listOf(who.plugin, document);
  if (plugins !== undefined) answers.push(actor.plugin !== null && anyWord(plugins, actor.plugin));
  if (typeof who.subagent === 'boolean') answers.push(actor.subagentDepth > 0 === who.subagent);
  else if (who.subagent !== undefined) {
    if (actor.subagentDepth === 0) answers.push(false);
    else answers.push(actor.subagent === null ? null : anyWord(who.subagent, actor.subagent));
  }
  answers.push(whenHolds(when, document, question));
  if (!question.restricts && when.command === undefined) {
    const command = simpleCommands(question.facts).find((_, index) => index === question.at);
    if (command !== undefined && sensitive(command).length > 0) answers.push(false);
  }
  return all(answers);
}

function identityHolds(identity: Identity | null, names: readonly string[]): Answer {
  return identity?.authenticated === true ? anyWord(names, identity.name) : null;
}

function whenHolds(when: RuleWhen, document: PolicyDocument, question: Question): Answer {
  const { facts } = question;
  const answers: Answer[] = [];
  const claims = (answer: () => Answer): Answer =>
    !facts.claimsTrusted && (question.loosens || !question.restricts) ? null : answer();
  const tools = listOf(when.tool, document);
  if (tools !== undefined) answers.push(anyWord(tools, facts.tool));
  const owners = listOf(when.owner, document);
  if (owners !== undefined) answers.push(anyWord(owners, facts.owner));
  if (when.riskTier !== undefined) {
    const order = ['safe', 'standard', 'destructive'];
    const call = order.indexOf(facts.callRisk);
    const near = (tier: string): boolean =>
      question.restricts ? call >= order.indexOf(tier) : call <= order.indexOf(tier);
    answers.push(facts.riskTier === 'unknown' ? null : when.riskTier.some(near));
  }
  if (when.sandboxed !== undefined) answers.push(when.sandboxed === facts.session.sandboxed);
  if (when.interactive !== undefined) answers.push(when.interactive === facts.session.interactive);
  if (when.background !== undefined) answers.push(when.background === facts.background);
  if (when.mcp !== undefined) {
    const { server, pinned } = when.mcp;
    answers.push(
      facts.mcp !== null &&
        (server === undefined || anyWord(server, facts.mcp.server)) &&
        (pinned === undefined || pinned === facts.mcp.pinned),
    );
  }
  if (when.cwd !== undefined) {
    const { cwd } = facts;
    answers.push(
      claims(() =>
        cwd === null
          ? null
          : (when.cwd ?? []).some((glob) => pathMatches(glob, cwd, insideProject(cwd, facts.project))),
      ),
    );
  }
  const { command, path, host } = when;
  if (command !== undefined) {
    answers.push(facts.command === null ? false : claims(() => commandHolds(command, document, question)));
  }
  if (path !== undefined) {
    answers.push(
      claims(() =>
        listHolds(path, document, relevantPaths(question), (one, globs, all) =>
          pathIn(one, globs, facts.project, all),
        ),
      ),
    );
  }
  if (host !== undefined) {
    answers.push(
      claims(() => listHolds(host, document, relevantHosts(question), (one, globs) => hostIn(one, globs))),
    );
  }
  if (when.any !== undefined)
    answers.push(some(when.any.map((branch) => whenHolds(branch, document, question))));
  if (when.not !== undefined) {
    answers.push(not(whenHolds(when.not, document, { ...question, restricts: !question.restricts })));
  }
  return all(answers);
}

function listHolds<T>(
  wanted: { readonly every?: readonly string[]; readonly some?: readonly string[] },
  document: PolicyDocument,
  items: readonly T[] | null,
  isIn: (item: T, globs: readonly string[], wanted: 'all' | 'any') => Answer,
): Answer {
  if (items === null) return null;
  const answers: Answer[] = [];
  const every = listOf(wanted.every, document);
  if (every !== undefined)
    answers.push(items.length === 0 ? null : all(items.map((item) => isIn(item, every, 'all'))));
  const any = listOf(wanted.some, document);
  if (any !== undefined) answers.push(some(items.map((item) => isIn(item, any, 'any'))));
  return all(answers);
}

function relevantPaths({ facts, capability, at, restricts }: Question): readonly PathFact[] | null {
  if (facts.paths === 'unknown') return null;
  return facts.paths.filter((path) => {
    if (at !== 'call' && path.command !== null && path.command !== at) return false;
    if (restricts && !facts.claimsTrusted) return true;
    if (capability === 'fs.read') return path.access === 'read';
    if (capability === 'fs.write') return path.access === 'write';
    if (capability === 'fs.write.outside-project') return path.access === 'write' && !path.inside;
    return true;
  });
}

function relevantHosts({ facts, at }: Question): readonly HostFact[] | null {
  if (facts.hosts === 'unknown') return null;
  return facts.hosts.filter((host) => at === 'call' || host.command === null || host.command === at);
}

/** A folder that is read whole is itself and every path that could be below it; a glob is all of it, some or none. */
function pathIn(path: PathFact, globs: readonly string[], project: string, wanted: 'all' | 'any'): Answer {
  const { real, claimed } = path;
  if (real === null || claimed === null) return null;
  const relative = path.inside ? path.relative : null;
  const named = globs.some((glob) => pathMatches(glob, real, relative));
  if (path.recursive !== true) return named;
  if (wanted === 'any')
    return named || (globs.some((glob) => couldMatchBelow(glob, real, relative, project)) ? null : false);
  const whole = globs.some((glob) => /(^|\/)\*\*$/.test(glob) && pathMatches(glob, real, relative));
  return whole || (named ? null : false);
}

/** Some beginning of the glob matches the folder, and the glob goes on, or may go on with `**`. */
export function couldMatchBelow(
  glob: string,
  real: string,
  relative: string | null,
  project: string,
): boolean {
  if (!/^[/~]/.test(glob) && relative === null) return project.startsWith(real === '/' ? '/' : `${real}/`);
  const segments = (glob.startsWith('~') ? HOME + glob.slice(1) : glob)
    .split('/')
    .filter((part) => part !== '');
  const root = /^[/~]/.test(glob) ? '/' : '';
  return segments.some((segment, at) => {
    const beginning = segments.slice(0, segment === '**' ? at + 1 : at);
    return pathMatches(root + beginning.join('/'), real, relative);
  });
}

function hostIn(host: HostFact, patterns: readonly string[]): Answer {
  const name = host.host;
  if (name === null) return patterns.length === 0 ? false : null;
  return patterns.some((pattern) =>
    pattern.startsWith('*.')
      ? name.endsWith(pattern.slice(1)) && name !== pattern.slice(2)
      : pattern === '*' || name === pattern,
  );
}

function commandHolds(
  wanted: NonNullable<RuleWhen['command']>,
  document: PolicyDocument,
  question: Question,
): Answer {
  const { facts, at, restricts } = question;
  if (facts.command === 'unknown' || facts.command === null) return null;
  const known = !facts.command.unparsed;
  const chosen = facts.command.commands.filter((_, index) => at === 'call' || at === index);
  const answers = chosen
    .filter((command) => restricts || at !== 'call' || !runsOnlyItsInside(command))
    .map((command) => oneCommandHolds(wanted, document, command, restricts));
  if (restricts) return some([...answers, known ? false : null]);
  return all([...answers, known && chosen.length > 0 ? true : null]);
}

function oneCommandHolds(
  wanted: NonNullable<RuleWhen['command']>,
  document: PolicyDocument,
  command: SimpleCommand,
  restricts: boolean,
): Answer {
  const { has, argv = [] } = wanted;
  if (has !== undefined && !has.some((trait) => command.traits.includes(trait))) return false;
  if (!restricts && sensitive(command).some((trait) => has?.includes(trait) !== true)) return false;
  const positions = argv.map((word) => {
    const words = typeof word === 'string' ? [word] : word;
    return {
      readOnly: words.includes('set:readOnlyCommands'),
      words:
        listOf(
          words.filter((one) => one !== 'set:readOnlyCommands'),
          document,
        ) ?? [],
    };
  });
  const [first, ...rest] = positions;
  if (first === undefined) return true;
  if (!restricts) {
    return all(
      positions.map(({ readOnly, words }, index) => {
        if (index < command.argv.length && index === 0 && readOnly && command.readOnly) return true;
        const word = command.argv[index];
        return word === undefined ? false : word === null ? null : anyWord(words, word);
      }),
    );
  }
  const name = command.argv[0];
  const named: Answer =
    first.readOnly && command.readOnly
      ? true
      : name === null
        ? null
        : name !== undefined && base(name) !== '' && anyWord(first.words.map(base), base(name));
  const others = command.argv.slice(1);
  const inOrder = subsequence(
    rest.map(({ words }) => words),
    others.filter((word) => word !== null),
  );
  return all([named, inOrder ? true : others.includes(null) ? null : rest.length === 0]);
}

function subsequence(wanted: readonly (readonly string[])[], words: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return true;
  const at = words.findIndex((word) => anyWord(first, word));
  return at !== -1 && subsequence(rest, words.slice(at + 1));
}

export function simpleCommands(facts: Facts): readonly SimpleCommand[] {
  return facts.command === null || facts.command === 'unknown' ? [] : facts.command.commands;
}

export function sensitive(command: SimpleCommand): readonly ShellTrait[] {
  return command.traits.filter((trait) => ['envAssign', 'redirect', 'substitution'].includes(trait));
}

export function runsOnlyItsInside(command: SimpleCommand): boolean {
  return command.wrapper === 'transparent' && command.inner.length > 0 && sensitive(command).length === 0;
}

export function base(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? '').toLowerCase().replace(/\.(exe|cmd|bat|com)$/, '');
}

export function listOf(
  list: readonly string[] | undefined,
  document: PolicyDocument,
): readonly string[] | undefined {
  return list?.flatMap((value) =>
    value.startsWith('set:') ? (document.sets?.[value.slice(4)] ?? []) : [value],
  );
}

export function anyWord(globs: readonly string[], word: string): boolean {
  return globs.some((glob) => new RegExp(`^${glob.split('*').map(quote).join('[^]*')}$`).test(word));
}

export function insideProject(path: string, project: string): string | null {
  return path === project ? '' : path.startsWith(`${project}/`) ? path.slice(project.length + 1) : null;
}

export function pathMatches(glob: string, real: string, relative: string | null): boolean {
  const written = glob.startsWith('~') ? HOME + glob.slice(1) : glob;
  const subject = written.startsWith('/') ? real.slice(1) : relative;
  if (subject === null) return false;
  const segments = written.split('/').filter((part) => part !== '');
  const pattern = segments.map((part) =>
    part === '**' ? '(?:[^/]+/)*' : `${part.split('*').map(quote).join('[^/]*')}/`,
  );
  return new RegExp(`^${pattern.join('')}$`).test(subject === '' ? '' : `${subject}/`);
}

const quote = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
