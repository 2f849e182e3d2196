import type { ShellTrait } from '@wrongstack/contracts';
import type { OutputFlow } from './output-flow.js';
import type { WorkingFolder } from './working-folder.js';

/** Nesting beyond this is refused: nobody reads a command that deep, and no recursion here may run away. */
export const MAX_NESTING = 32;

/** Where in a script a command stands, and what it inherits from there. */
export interface RunPlace {
  readonly folder: WorkingFolder;
  /** Of the constructs around it: a pipe, a subshell, a redirect of the whole group. */
  readonly traits: readonly ShellTrait[];
  /** The wrappers around it, outermost first. */
  readonly through: readonly string[];
  readonly depth: number;
  /** The text that source positions index. */
  readonly source: string;
  /** A download may be writing into its standard input. */
  readonly fetchedInput: boolean;
  /** Where the standard output of what runs here ends. */
  readonly output: OutputFlow;
}

export function withTraits(place: RunPlace, ...traits: readonly ShellTrait[]): RunPlace {
  const added = traits.filter((trait) => !place.traits.includes(trait));
  return added.length === 0 ? place : { ...place, traits: [...place.traits, ...added] };
}

/** What runs here hands its output on: to a variable, a file, another program. */
export function handedOn(place: RunPlace): RunPlace {
  return place.output === 'handed-on' ? place : { ...place, output: 'handed-on' };
}

export function deeper(place: RunPlace): RunPlace {
  return { ...place, depth: place.depth + 1 };
}

/** A child process or subshell: what it does to its folder stays there. */
export function isolated(place: RunPlace): RunPlace {
  return { ...place, folder: place.folder.copy() };
}
