import { forEachChild, parse } from 'unbash';
import type {
  AndOr,
  Case,
  Command,
  Elif,
  If,
  ParsedScript,
  Pipeline,
  Redirection,
  Script,
  Statement,
  SyntaxNode,
  Word,
} from 'unbash';
import type { ShellTrait } from '@wrongstack/contracts';
import type { CommandCollector, CommandDraft } from './command-collector.js';
import { isFetcher } from './fetchers.js';
import { isRawDevice, redirectUse } from './redirects.js';
import { movesOutput, pipelineFlows } from './output-flow.js';
import { deeper, handedOn, isolated, MAX_NESTING, withTraits, type RunPlace } from './run-place.js';
import type { ShellWord } from './shell-word.js';
import { expansionHazard, hidesSubscriptCode, unreadPart } from './word-hazards.js';
import {
  assignedText,
  hasSubstitution,
  isProcessSubstitution,
  leavesShell,
  redefines,
} from './syntax-questions.js';
import { literalText, wordValues } from './word-values.js';
import type { WorkingFolder } from './working-folder.js';

/** Says what one simple command, its words known, does. */
export type RunCommand = (
  draft: CommandDraft,
  place: RunPlace,
  stdin: StandardInput,
  assigned: readonly Assigned[],
) => void;

/** A variable that an assignment in front of the command, or a bare one, sets; null = not static. */
export interface Assigned {
  readonly name: string;
  readonly value: string | null;
}

/** What a redirect feeds the command: `code` = a file, heredoc or here-string that an interpreter would run. */
export type StandardInput = 'inherited' | 'code';

/** Walks every corner of a script in which bash would run something. */
export class ScriptWalker {
  constructor(
    private readonly collector: CommandCollector,
    private readonly run: RunCommand,
  ) {}

  /** Code known as text: the claim itself, or what `bash -c` and `eval` are given. */
  text(source: string, place: RunPlace): void {
    if (this.isTooDeep(place)) return;
    this.script(parse(source), { ...place, source });
  }

  private script(script: ParsedScript | Script, place: RunPlace): void {
    const first = 'errors' in script ? script.errors?.[0] : undefined;
    const inside = script.source === undefined ? place : { ...place, source: script.source };
    if (first !== undefined) this.collector.unparsed(`syntax error: ${first.message}`);
    this.list(script.commands, first === undefined ? inside : withTraits(inside, 'unparsed'));
  }

  private isTooDeep(place: RunPlace): boolean {
    if (place.depth <= MAX_NESTING) return false;
    this.collector.unparsed(`nested deeper than ${MAX_NESTING} levels`);
    return true;
  }

  private list(statements: readonly Statement[], place: RunPlace): void {
    for (const statement of statements) {
      if (this.collector.isFull()) return;
      if (statement.background) this.node(statement.command, withTraits(isolated(place), 'background'));
      else this.sequel(statement.command, place);
    }
  }

  /** A statement whose failure does not stop what follows: both outcomes stay possible. */
  private sequel(node: Statement['command'], place: RunPlace): void {
    const before = place.folder.copy();
    this.node(node, place);
    if (node.type !== 'AndOr' && !place.folder.equals(before)) place.folder.join(before);
  }

  private node(node: SyntaxNode, place: RunPlace): void {
    if (this.isTooDeep(place) || this.collector.isFull()) return;
    const unread = unreadPart(node);
    if (unread !== null) this.collector.unparsed(unread);
    switch (node.type) {
      case 'Command':
        return this.command(node, place);
      case 'AndOr':
        return this.andOr(node, place);
      case 'Pipeline':
        return this.pipeline(node, place);
      case 'CompoundList':
        return this.list(node.commands, place);
      case 'Statement':
        return this.list([node], place);
      case 'Script':
        return this.script(node, deeper(place));
      case 'Redirected':
        return this.redirected(node.command, node.redirects, place);
      case 'Subshell':
        return this.node(node.body, withTraits(deeper(isolated(place)), 'subshell'));
      case 'Coproc':
        if (node.name !== undefined) this.assignment(node.name.value, null, place);
        return this.node(node.body, handedOn(withTraits(deeper(isolated(place)), 'background', 'subshell')));
      case 'Function': {
        const name = redefines(node);
        if (name !== null) this.collector.unparsed(`a function called ${name}`);
        return this.functionBody(node.body, place);
      }
      case 'If':
      case 'Case':
      case 'Elif':
        return this.branches(node, place);
      case 'For':
      case 'ArithmeticFor':
      case 'Select':
      case 'While':
        return this.loop(node, place);
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
      case 'ProcessSubstitution':
        return this.substitution(node.script, place);
      case 'ParameterExpansion': {
        const hazard = expansionHazard(node);
        if (hazard !== null) this.collector.unparsed(hazard);
        // `: ${CDPATH:=/}` sets a variable like any assignment, although only where it was empty.
        if (node.operation?.type === 'Default' && /^:?=$/.test(node.operation.operator))
          this.assignment(node.parameter, null, place);
        return this.children(node, place);
      }
      case 'Word':
        this.noteLiteral(node);
        return this.children(node, place);
      case 'Slice':
      case 'ArithmeticWord':
        this.collector.evaluates();
        return this.children(node, place);
      case 'ArithmeticBinary':
        if (/^[^=!<>]{0,3}=$|^(?:<<|>>)=$/.test(node.operator) && node.left.type === 'ArithmeticWord')
          this.assignment(node.left.value, null, place);
        return this.children(node, place);
      case 'ArithmeticUnary':
        if (/^(?:\+\+|--)$/.test(node.operator) && node.operand.type === 'ArithmeticWord')
          this.assignment(node.operand.value, null, place);
        return this.children(node, place);
      case 'TestUnary':
        if (node.operator === '-v' || node.operator === '-R') this.collector.evaluates();
        return this.children(node, place);
      case 'TestBinary':
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) this.collector.evaluates();
        return this.children(node, place);
      default:
        return this.children(node, place);
    }
  }

  /** Literal text with a substitution in a subscript is harmless until something evaluates it as arithmetic. */
  private noteLiteral(word: Word): void {
    if (hidesSubscriptCode(literalText(word))) this.collector.holdsCode(word.text);
  }

  private children(node: SyntaxNode, place: RunPlace): void {
    const inside = node.type === 'BraceGroup' ? deeper(place) : place;
    forEachChild(node, (child) => this.node(child, inside));
  }

  private substitution(script: ParsedScript | undefined, place: RunPlace): void {
    if (script === undefined) return;
    this.script(script, {
      ...deeper(handedOn(isolated(place))),
      traits: place.traits.includes('unparsed') ? ['subshell', 'unparsed'] : ['subshell'],
    });
  }

  /** Either branch may have been the one that ran. */
  private branches(node: If | Case | Elif, place: RunPlace): void {
    const inside = deeper(place);
    if (node.type !== 'Case') this.node(node.clause, inside);
    else this.node(node.word, inside);
    const start = place.folder.copy();
    const bodies =
      node.type === 'Case'
        ? node.items
        : [node.then, ...(node.type === 'If' ? [...node.elif, node.else] : [])];
    for (const body of bodies) {
      if (body === undefined) continue;
      const branch = start.copy();
      this.node(body, { ...inside, folder: branch });
      place.folder.join(branch);
    }
  }

  /** The second round starts where the first one ended, so a loop that changes folders has no known folder. */
  private loop(node: SyntaxNode, place: RunPlace): void {
    if (/\b(?:cd|pushd|popd)\b/.test(place.source.slice(node.pos, node.end))) place.folder.forget();
    if (node.type === 'For' || node.type === 'Select') {
      this.assignment(node.name.value, null, place);
      for (const word of node.wordlist ?? []) this.noteExtendedGlob(word);
    }
    const before = place.folder.copy();
    this.children(node, deeper(place));
    if (place.folder.equals(before)) return;
    this.collector.unparsed('a loop changes its folder in a way that cannot be followed');
    place.folder.forget();
  }

  /** A function may be called from anywhere: its `cd` makes every later folder unknown, and its output may go anywhere. */
  private functionBody(body: SyntaxNode, place: RunPlace): void {
    const inside = handedOn(isolated(deeper(place)));
    const before = inside.folder.copy();
    this.node(body, inside);
    if (!inside.folder.equals(before)) place.folder.forget();
  }

  /** `folder` = every command so far succeeded as its operator asks, `failed` = the last one that counts did not. */
  private andOr(node: AndOr, place: RunPlace): void {
    const folder = place.folder;
    let failed: WorkingFolder | null = folder.copy();
    for (const [index, command] of node.commands.entries()) {
      const afterFailure = index > 0 && node.operators[index - 1] === '||';
      const branch = (afterFailure ? (failed ?? folder) : folder).copy();
      const before = branch.copy();
      this.node(command, { ...place, folder: branch });
      if (afterFailure) {
        if (leavesShell(command)) failed = null;
        else folder.join(branch);
        failed?.join(branch);
        continue;
      }
      if (failed === null) failed = before;
      else failed.join(before);
      folder.become(branch);
    }
    if (failed !== null) folder.join(failed);
  }

  private pipeline(node: Pipeline, place: RunPlace): void {
    const timed = node.prefixes.some((prefix) => prefix.type === 'Time');
    let current: RunPlace = timed ? { ...place, through: [...place.through, 'time'] } : place;
    if (node.commands.length === 1) {
      const only = node.commands[0];
      const before = place.folder.copy();
      if (only !== undefined) this.node(only, current);
      // `! cd x && y` runs y where cd failed.
      if (node.prefixes.some((prefix) => prefix.type === 'Negation')) place.folder.join(before);
      return;
    }
    const flows = pipelineFlows(node.commands, place.output);
    for (const [index, command] of node.commands.entries()) {
      const from = this.collector.drafts.length;
      const output = flows[index] ?? 'handed-on';
      this.node(command, withTraits({ ...isolated(current), output }, 'pipe'));
      if (this.fetchedSince(from)) current = { ...current, fetchedInput: true };
    }
  }

  private fetchedSince(from: number): boolean {
    return this.collector.drafts.slice(from).some((draft) => isFetcher(draft.words));
  }

  private redirected(body: SyntaxNode, redirects: readonly Redirection[], place: RunPlace): void {
    const effects = redirects.map((redirect) => this.redirectEffect(redirect, place));
    const traits = effects.flatMap((effect) => effect.traits);
    const start = this.collector.drafts.length;
    const moved = effects.some(({ moves }) => moves);
    this.node(body, withTraits(moved ? handedOn(place) : place, ...traits));
    let inside = this.collector.drafts.slice(start);
    if (inside.length === 0 && traits.includes('redirect'))
      inside = [this.collector.add([], { ...place, traits })];
    for (const draft of inside) for (const effect of effects) effect.apply(draft);
  }

  private command(node: Command, place: RunPlace): void {
    const assignments = node.prefix.filter((one) => one.type === 'Assignment');
    for (const assignment of assignments) this.children(assignment, place);
    const words = this.words(node, place);
    const effects = node.redirects.map((redirect) => this.redirectEffect(redirect, place, words));
    const traits: ShellTrait[] = effects.flatMap((effect) => [...effect.traits]);
    if (assignments.length > 0) traits.push('envAssign');
    if (hasSubstitution(node)) traits.push('substitution');
    const text = place.source.slice(node.pos, node.end);
    const draft = this.collector.add(words, { ...withTraits(place, ...traits), text });
    for (const effect of effects) effect.apply(draft);
    // In front of a command it holds for that command alone, which may be `cd`: what it changes is then unknown.
    for (const one of assignments) place.folder.assign(one.name, words.length > 0 ? null : assignedText(one));
    const stdin = effects.some((effect) => effect.feeds) ? 'code' : 'inherited';
    const moved = effects.some(({ moves }) => moves);
    // `exec >file` is about every command that follows.
    if (moved && words.length < 2 && words[0]?.value === 'exec') this.collector.outputMoved = true;
    this.run(
      draft,
      moved ? handedOn(place) : place,
      stdin,
      assignments.map((one) => ({ name: one.name, value: assignedText(one) })),
    );
  }

  private words(node: Command, place: RunPlace): ShellWord[] {
    const sources = [...(node.name === undefined ? [] : [node.name]), ...node.args];
    return sources.flatMap((source) => {
      if (source.type === 'Word') return this.word(source, place);
      // `export A=x`: to the program it is one word like any other.
      this.children(source, place);
      place.folder.assign(source.name, assignedText(source));
      const value = assignedText(source);
      const lead = `${source.name}${source.index === undefined ? '' : `[${source.index.value}]`}${source.append ? '+' : ''}=`;
      return [
        {
          value: value === null ? null : lead + value,
          lead,
          splits: false,
          base: null,
          tilde: false,
          fetched: false,
          text: source.text,
        },
      ];
    });
  }

  /**
   * An assignment that is no command: a loop variable, arithmetic, a coprocess. Programs see those of exported
   * variables, which are spelt in capitals but for the proxies, so it needs cover like `PATH=.` does.
   */
  private assignment(name: string, value: string | null, place: RunPlace): void {
    place.folder.assign(name, value);
    if (!/[A-Z]/.test(name) && !name.endsWith('_proxy')) return;
    const draft = this.collector.add([], { ...withTraits(place, 'envAssign'), text: `${name}=` });
    this.run(draft, place, 'inherited', [{ name, value }]);
  }

  private noteExtendedGlob(source: Word): void {
    const glob = source.parts?.find((part) => part.type === 'ExtendedGlob');
    if (glob !== undefined)
      this.collector.unparsed(`syntax error: ${glob.text} where extended globs are not switched on`);
  }

  private word(source: Word, place: RunPlace): ShellWord[] {
    const from = this.collector.drafts.length;
    this.noteExtendedGlob(source);
    this.noteLiteral(source);
    this.children(source, place);
    return wordValues(source, this.fetchedSince(from));
  }

  private redirectEffect(
    redirect: Redirection,
    place: RunPlace,
    words: readonly ShellWord[] = [],
  ): RedirectEffect {
    if (redirect.type === 'HereDoc') {
      this.children(redirect.body, place);
      return { traits: ['heredoc'], feeds: true, moves: false, apply: () => undefined };
    }
    const fetches = place.fetchedInput || isFetcher(words);
    const target =
      redirect.target === undefined ? [] : this.word(redirect.target, { ...place, fetchedInput: fetches });
    if (redirect.type === 'HereString')
      return { traits: ['heredoc'], feeds: true, moves: false, apply: () => undefined };
    const word = target.length === 1 ? (target[0] ?? null) : null;
    const moves = movesOutput(redirect, word);
    // A process substitution is a pipe, and its commands have been found already.
    if (isProcessSubstitution(redirect.target))
      return { traits: [], feeds: redirect.operator === '<', moves, apply: () => undefined };
    const use = redirectUse(redirect, word);
    if (use.kind === 'harmless')
      return { traits: [], feeds: redirect.operator === '<', moves, apply: () => undefined };
    const apply = (draft: CommandDraft): void => {
      if (use.kind === 'host') return this.collector.host(draft, use.url);
      for (const access of use.access) this.collector.path(draft, place.folder, use.word, access);
      if (use.access.includes('write') && isRawDevice(use.word.value)) {
        this.collector.destructive(draft, `overwrites the device ${use.word.text}`);
      }
    };
    return { traits: ['redirect'], feeds: redirect.operator.startsWith('<'), moves, apply };
  }
}

interface RedirectEffect {
  readonly traits: readonly ShellTrait[];
  /** Standard input comes from here. */
  readonly feeds: boolean;
  /** Standard output goes there. */
  readonly moves: boolean;
  readonly apply: (draft: CommandDraft) => void;
}
