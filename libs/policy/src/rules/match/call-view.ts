import type { ActorFacts, Facts, PathFact, ShellTrait, SimpleCommand } from '@wrongstack/contracts';

/** A simple command with what every rule asks about it. */
export interface CommandView {
  readonly index: number;
  readonly command: SimpleCommand;
  /** Lower case, without folder and `.exe`; null = not static, empty for a bare assignment or redirect. */
  readonly baseName: string | null;
  /** Traits that an allow must name before it covers this command. */
  readonly sensitive: readonly ShellTrait[];
}

/** The facts of a call as one actor's, with what is derived from them computed once. */
export class CallView {
  readonly facts: Facts;
  readonly actor: ActorFacts;
  readonly commands: readonly CommandView[];
  /** False: a command runs, or may run, that is not in `commands`. */
  readonly commandsKnown: boolean;
  /** Null = unknown. */
  readonly paths: readonly PathFact[] | null;

  constructor(facts: Facts, actor: ActorFacts = facts.actor) {
    this.facts = facts;
    this.actor = actor;
    const { command } = facts;
    this.commands = command === null || command === 'unknown' ? [] : command.commands.map(viewCommand);
    this.commandsKnown = command !== 'unknown' && (command === null || !command.unparsed);
    this.paths = facts.paths === 'unknown' ? null : facts.paths;
  }

  /** Milliseconds; NaN where the facts hold no valid time. Read by nobody whose answer does not depend on it: see watched-facts.ts. */
  get now(): number {
    return Date.parse(this.facts.now);
  }
}

/** What a rule is asked about: a call under one of its capabilities. The only subject type that rules know. */
export interface CallSubject {
  readonly call: CallView;
  readonly capability: string;
  /** What carries the capability: indices of simple commands, or {@link WHOLE_CALL} alone. */
  readonly carriers: readonly number[];
}

/** In place of a command's index: the call as a whole. */
export const WHOLE_CALL = -1;

const SENSITIVE: readonly ShellTrait[] = ['envAssign', 'redirect', 'substitution'];
const NONE: readonly ShellTrait[] = [];

function viewCommand(command: SimpleCommand, index: number): CommandView {
  const first = command.argv.length === 0 ? '' : (command.argv[0] ?? null);
  const hasSensitive = command.traits.some((trait) => SENSITIVE.includes(trait));
  return {
    index,
    command,
    baseName: first === null ? null : baseNameOf(first),
    sensitive: hasSensitive ? command.traits.filter((trait) => SENSITIVE.includes(trait)) : NONE,
  };
}

/** How rules that restrict compare command names: however the program is spelt, it is the same program. */
export function baseNameOf(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return name.replace(/\.(?:exe|cmd|bat|com)$/, '');
}

/** Runs what is inside and nothing else, so whoever covers the inside covers it. */
export function isTransparent(view: CommandView): boolean {
  return (
    view.command.wrapper === 'transparent' && view.command.inner.length > 0 && view.sensitive.length === 0
  );
}
