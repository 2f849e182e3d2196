import { WrongStackError } from '@wrongstack/contracts';
import { badInput, filledText, optionalText, rawInput, textList } from '../read-input.js';
import { GIT_COMMANDS, GIT_PLAIN_DIFF } from './git-commands.js';
import { refusedOption } from './option-rule.js';

export interface GitInput {
  /** Subcommand first, then its options and plain words. */
  readonly args: readonly string[];
  /** A commit, branch, tag or range. */
  readonly ref?: string;
  /** Stand behind `--`: never options. */
  readonly paths?: readonly string[];
}

/**
 * The argument vector of a call as it runs and as it is claimed. Pure and unchecked: policy judges whatever a model
 * wrote, and {@link refuseGitInput} decides whether it runs.
 */
export function gitArgv(input: unknown): readonly string[] {
  const [command, ...rest] = strings(field(input, 'args'));
  if (command === undefined) return ['git'];
  const ref = field(input, 'ref');
  const paths = strings(field(input, 'paths'));
  return [
    'git',
    command,
    ...(Object.hasOwn(GIT_PLAIN_DIFF, command) ? (GIT_PLAIN_DIFF[command] ?? []) : []),
    ...rest,
    ...(typeof ref === 'string' ? [ref] : []),
    ...(paths.length > 0 ? ['--', ...paths] : []),
  ];
}

/** Throws unless the call is one of the allowed subcommands with allowed options, and its refs are no options. */
export function refuseGitInput(input: unknown): void {
  const raw = rawInput(input);
  const args = textList(raw, 'args');
  const [command = '', ...rest] = args;
  const rule = GIT_COMMANDS.get(command);
  if (rule === undefined) {
    throw new WrongStackError(
      'git.not_allowed',
      `git ${command === '' ? '(no subcommand)' : command} is not allowed here: args start with one of ${[...GIT_COMMANDS.keys()].join(' ')}`,
    );
  }
  const wrong = refusedOption(rest, rule);
  if (wrong !== null) throw new WrongStackError('git.not_allowed', `git ${command}: ${wrong}`);
  refuseRef(optionalText(raw, 'ref') === undefined ? undefined : filledText(raw, 'ref'));
  const named = raw['ref'] !== undefined || textList(raw, 'paths').length > 0;
  if (named && rest.includes('--')) throw badInput('args', 'must not hold -- beside ref or paths');
}

/** A ref is data: nothing in it may be read as an option, a remote helper or a second word. */
function refuseRef(ref: string | undefined): void {
  if (ref === undefined) return;
  if (ref.startsWith('-')) {
    throw new WrongStackError('git.bad_ref', `ref ${ref} starts with a dash: a ref is never an option`);
  }
  if (/[\0-\x20\x7f]|::/.test(ref)) {
    throw new WrongStackError('git.bad_ref', 'ref holds spaces, control characters or ::, which no ref has');
  }
}

function field(input: unknown, name: string): unknown {
  if (typeof input !== 'object' || input === null) return undefined;
  return Object.getOwnPropertyDescriptor(input, name)?.value;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
