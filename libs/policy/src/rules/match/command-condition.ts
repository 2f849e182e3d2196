import type { ShellTrait } from '@wrongstack/contracts';
import type { RuleWhen } from '../../documents/policy-document.js';
import { baseNameOf, isTransparent, WHOLE_CALL, type CallView, type CommandView } from './call-view.js';
import { COST, type Approach, type Condition, type ConditionContext } from './condition.js';
import { both, type Truth } from './truth.js';
import { compileWordGlobs, type TextTest } from './word-glob.js';

type When = NonNullable<RuleWhen['command']>;
type CommandTest = (view: CommandView) => Truth;

const READ_ONLY_SET = 'set:readOnlyCommands';

/** One position of `argv`: the words that may stand there. */
interface WordTest {
  readonly test: TextTest;
  /** The built-in set: what it stands for is a whole command, so it can only come first. */
  readonly readOnly: boolean;
}

export function commandCondition(when: When, approach: Approach, context: ConditionContext): Condition {
  const words = when.argv?.map((word, index) => compileWord(word, index, approach, context)) ?? [];
  const traits = when.has ?? [];
  return {
    cost: COST.command,
    test:
      approach === 'catch'
        ? anyCommand(catchCommand(words, traits), context.grants)
        : everyCommand(coverCommand(words, traits)),
  };
}

function compileWord(
  word: string | readonly string[],
  index: number,
  approach: Approach,
  context: ConditionContext,
): WordTest {
  const field = `when/command/argv/${index}`;
  const written = typeof word === 'string' ? [word] : word;
  const readOnly = written.includes(READ_ONLY_SET);
  if (readOnly && index > 0)
    context.fail(field, `${READ_ONLY_SET} stands for whole commands and can only come first`);
  const words = context.expand(
    written.filter((value) => value !== READ_ONLY_SET),
    field,
  );
  if (index > 0) return { test: compileWordGlobs(words), readOnly };
  const spaced = words.find((value) => /\s/.test(value));
  if (spaced !== undefined) context.fail(field, `"${spaced}" is several words: write one list item for each`);
  const names = approach === 'catch' ? words.map(baseNameOf) : words;
  return { test: words.length === 0 ? () => false : compileWordGlobs(names), readOnly };
}

// --- Restricting: any simple command, by base name, the other words in order with anything between them.

function anyCommand(test: CommandTest, grants: boolean): Condition['test'] {
  return ({ call }, at) => {
    if (call.facts.command === null) return 'no';
    if (grants && !call.facts.claimsTrusted) return 'unknown';
    // What could not be parsed may be any command.
    let result: Truth = call.commandsKnown ? 'no' : 'unknown';
    for (const view of call.commands) {
      if (at !== WHOLE_CALL && view.index !== at) continue;
      const truth = test(view);
      if (truth === 'yes') return 'yes';
      if (truth === 'unknown') result = 'unknown';
    }
    return result;
  };
}

function catchCommand(words: readonly WordTest[], traits: readonly ShellTrait[]): CommandTest {
  const [name, ...rest] = words;
  return (view) => {
    if (traits.length > 0 && !carriesOne(view, traits)) return 'no';
    if (name === undefined) return 'yes';
    const isNamed = catchName(name, view);
    if (isNamed === 'no' || rest.length === 0) return isNamed;
    return both(isNamed, catchRest(rest, view));
  };
}

function carriesOne(view: CommandView, traits: readonly ShellTrait[]): boolean {
  return view.command.traits.some((trait) => traits.includes(trait));
}

function catchName(name: WordTest, view: CommandView): Truth {
  if (name.readOnly && view.command.readOnly) return 'yes';
  if (view.baseName === null) return 'unknown';
  return view.baseName !== '' && name.test(view.baseName) ? 'yes' : 'no';
}

function catchRest(rest: readonly WordTest[], view: CommandView): Truth {
  const { argv } = view.command;
  let found = 0;
  let dynamic = false;
  for (let index = 1; index < argv.length && found < rest.length; index++) {
    const word = argv[index];
    if (word === null || word === undefined) dynamic = true;
    else if (rest[found]?.test(word) === true) found++;
  }
  if (found === rest.length) return 'yes';
  // A word that is not static may turn into any words, or into several.
  return dynamic || argv.slice(1).includes(null) ? 'unknown' : 'no';
}

// --- Allowing: each simple command as written, from its first word on.

function everyCommand(test: CommandTest): Condition['test'] {
  return ({ call }, at) => {
    if (call.facts.command === null) return 'no';
    if (!call.facts.claimsTrusted) return 'unknown';
    if (at === WHOLE_CALL) return everyOne(call, test);
    const view = call.commands[at];
    const truth = view === undefined ? 'unknown' : test(view);
    return call.commandsKnown ? truth : both(truth, 'unknown');
  };
}

function everyOne(call: CallView, test: CommandTest): Truth {
  let result: Truth = call.commandsKnown && call.commands.length > 0 ? 'yes' : 'unknown';
  for (const view of call.commands) {
    if (isTransparent(view)) continue;
    result = both(result, test(view));
    if (result === 'no') return 'no';
  }
  return result;
}

function coverCommand(words: readonly WordTest[], traits: readonly ShellTrait[]): CommandTest {
  return (view) => {
    if (traits.length > 0 && !carriesOne(view, traits)) return 'no';
    if (view.sensitive.length > 0 && view.sensitive.some((trait) => !traits.includes(trait))) return 'no';
    return coverWords(words, view);
  };
}

function coverWords(words: readonly WordTest[], view: CommandView): Truth {
  const { argv } = view.command;
  let result: Truth = 'yes';
  for (let index = 0; index < words.length; index++) {
    const wanted = words[index];
    const word = argv[index];
    if (wanted === undefined || word === undefined) return 'no';
    if (index === 0 && wanted.readOnly && view.command.readOnly) continue;
    if (word === null) result = 'unknown';
    else if (!wanted.test(word)) return 'no';
  }
  return result;
}
