import { names } from './names.js';
import type { CommandCollector, CommandDraft } from './command-collector.js';
import { environmentRuns, wordAssignment } from './environment-programs.js';
import { destructiveReason } from './destructive/destructive-table.js';
import { impliedFiles } from './effects/effect-table.js';
import { impliedUrls } from './hosts.js';
import { hasOption, scanOptions } from './option-scan.js';
import type { OutputFlow } from './output-flow.js';
import { isReadOnlyCall } from './read-only.js';
import { deeper, isolated, MAX_NESTING, type RunPlace } from './run-place.js';
import type { Assigned, StandardInput } from './script-walker.js';
import { programName, type ShellWord } from './shell-word.js';
import { hidesSubscriptCode } from './word-hazards.js';
import { readGitCall } from './wrappers/git-programs.js';
import type { InnerRun, Unwrapped } from './wrappers/unwrap.js';
import { unwrapCall } from './wrappers/wrapper-table.js';

/** Says what one simple command is: what it runs inside, how bad it is, what it touches. */
export class CommandRunner {
  constructor(
    private readonly collector: CommandCollector,
    private readonly walkText: (text: string, place: RunPlace) => void,
  ) {}

  run(
    draft: CommandDraft,
    place: RunPlace,
    stdin: StandardInput = 'inherited',
    assigned: readonly Assigned[] = [],
  ): void {
    this.environment(draft, assigned, place);
    const [first, ...args] = draft.words;
    if (first === undefined) return;
    const name = programName(first);
    if (name === null) return this.runUnknown(draft, first);
    draft.nestedWstack = isWstack(name, args);
    this.builtinHazards(draft, name, args, place);
    const call = { name, args, fedInput: stdin === 'code', fetchedInput: place.fetchedInput };
    for (const found of unwrapCall(call)) this.unwrap(draft, found, place);
    const reason = destructiveReason(name, args);
    if (reason !== null) this.collector.destructive(draft, reason);
    for (const use of impliedFiles(name, args, this.outputOf(draft, place))) {
      const folder = use.folder === undefined ? place.folder : place.folder.within(use.folder);
      this.collector.path(draft, folder, use.word, use.access, use);
    }
    this.collector.links.note(first, args, place.folder);
    // Only what follows happens in the new folder.
    this.changeFolder(name, args, place);
    for (const url of impliedUrls(name, args)) this.collector.host(draft, url);
    draft.readOnly =
      draft.risk === 'ordinary' &&
      !draft.words.some(isDisguised) &&
      isReadOnlyCall(first, args) &&
      (name !== 'git' || staysHere(args, place));
    if (draft.traits.has('unparsed') && draft.risk === 'destructive' && place.traits.includes('unparsed')) {
      // In a text with a syntax error nothing is known to run, so nothing is known to destroy: it is opaque.
      draft.risk = 'opaque';
    }
    if (place.traits.includes('unparsed') && draft.risk === 'ordinary') {
      draft.risk = 'opaque';
      draft.riskReason = 'part of a text with a syntax error';
    }
  }

  /** What a command runs beside itself may be what prints: `GIT_EXTERNAL_DIFF='cut -c2-' git diff`. */
  private outputOf(draft: CommandDraft, place: RunPlace): OutputFlow {
    return this.collector.outputMoved || draft.wrapper === 'own-cover' ? 'handed-on' : place.output;
  }

  /** `PAGER=x git log` runs x, and `export PAGER=x` makes later commands run it. */
  private environment(draft: CommandDraft, assigned: readonly Assigned[], place: RunPlace): void {
    for (const { name, value } of assigned) {
      const runs = environmentRuns(name, value);
      if (runs.length > 0) this.unwrap(draft, { through: `${name}=`, cover: 'own-cover', runs }, place);
    }
  }

  private runUnknown(draft: CommandDraft, word: ShellWord): void {
    if (word.fetched) this.collector.destructive(draft, 'fetched code run as a command');
    this.collector.opaque(draft, `the command word ${word.text} is not static`);
  }

  private unwrap(draft: CommandDraft, found: Unwrapped, place: RunPlace): void {
    draft.wrapper = draft.wrapper === 'own-cover' ? 'own-cover' : found.cover;
    const inner: RunPlace = {
      ...deeper(found.sameShell ? place : isolated(place)),
      folder: this.innerFolder(found, place),
      through: [...place.through, found.through],
      // `script file` keeps what it shows.
      ...(found.through === 'script' && { output: 'handed-on' }),
    };
    for (const run of found.runs) this.runInner(draft, run, inner);
  }

  private innerFolder(found: Unwrapped, place: RunPlace): RunPlace['folder'] {
    if (found.folder !== undefined) return place.folder.within([found.folder]);
    return found.sameShell ? place.folder : place.folder.copy();
  }

  private runInner(draft: CommandDraft, run: InnerRun, inner: RunPlace): void {
    if (run.kind === 'opaque') {
      if (run.fetched) this.collector.destructive(draft, run.reason);
      return this.collector.opaque(draft, run.reason);
    }
    if (inner.depth > MAX_NESTING)
      return this.collector.opaque(draft, `nested deeper than ${MAX_NESTING} levels`);
    if (this.collector.isFull()) return;
    const from = this.collector.drafts.length;
    if (run.kind === 'script') this.walkText(run.text, inner);
    else this.run(this.collector.add(run.words, inner), inner);
    draft.inner.push(...this.outermostSince(from));
  }

  /** The commands found since then that are not inside one another. */
  private outermostSince(from: number): number[] {
    const found = this.collector.drafts.slice(from);
    const nested = new Set(found.flatMap((draft) => draft.inner));
    return found.map((draft) => draft.index).filter((index) => !nested.has(index));
  }

  private changeFolder(name: string, args: readonly ShellWord[], place: RunPlace): void {
    if (name === 'source' || name === '.') return place.folder.forget();
    if (name === 'popd') {
      if (args.length === 0) place.folder.pop();
      else place.folder.forget();
      return;
    }
    if (name !== 'cd' && name !== 'pushd' && name !== 'chdir') return;
    const scanned = scanOptions(args, { stopAtOperand: true });
    const [target, ...others] = scanned.operands;
    const physical = hasOption(scanned, '-P');
    if (scanned.dynamic || others.length > 0 || hasOption(scanned, '-n')) place.folder.forget();
    else if (name === 'pushd') {
      if (target === undefined || /^[-+]\d+$/.test(target.value ?? '')) place.folder.forget();
      else place.folder.push(target, physical);
    } else if (target === undefined) place.folder.enter('home', physical);
    else if (target.value === '-') place.folder.enter('previous', physical);
    else place.folder.enter(target, physical);
  }

  /** Builtins whose operands bash evaluates, and those that set what `~` and `cd` mean. */
  private builtinHazards(
    draft: CommandDraft,
    name: string,
    args: readonly ShellWord[],
    place: RunPlace,
  ): void {
    if (EVALUATING.has(name) && args.some((word) => hidesSubscriptCode(word.value ?? word.lead))) {
      this.collector.opaque(draft, `${name} evaluates code in a subscript`);
    }
    if (name === 'let' && args.some((word) => word.value === null)) {
      this.collector.opaque(draft, 'let of an expression that is not static');
    }
    if (EXPORTING.has(name))
      this.environment(
        draft,
        args.map(wordAssignment).filter((one) => one !== null),
        place,
      );
    if (!NAMING.has(name)) return;
    for (const word of args) {
      const variable = /^[A-Za-z_]\w*/.exec(word.value ?? word.lead)?.[0];
      if (variable !== undefined && word.value === variable) place.folder.assign(variable, null);
    }
  }
}

const EXPORTING = new Set([
  'export',
  'declare',
  'typeset',
  'readonly',
  'local',
  'env',
  'genv',
  'sudo',
  'doas',
]);
const EVALUATING = new Set(
  names(`
  declare typeset local export readonly unset read printf test [ let wait getopts mapfile readarray
`),
);
const NAMING = new Set(
  names(`
  read unset printf mapfile readarray getopts declare typeset local
`),
);

/** In another folder git may find a repository that came as ordinary files, with settings that run programs. */
function staysHere(args: readonly ShellWord[], place: RunPlace): boolean {
  return place.folder.within(readGitCall(args).folders).isOrigin();
}

/** Escapes that hide plain letters from a reader of the command: such a call is shown, never waved through. */
function isDisguised(word: ShellWord): boolean {
  return /\$'[^']*\\(?:[xuU][0-9A-Fa-f]|[0-7])/.test(word.text);
}

const WSTACK = /^(?:@wrongstack\/(?:cli|core)|wstack|wrongstack)(?:@.*)?$/;

function isWstack(name: string, args: readonly ShellWord[]): boolean {
  if (WSTACK.test(name)) return true;
  if (!/^(?:node|nodejs|bun|deno|tsx)$/.test(name)) return false;
  return args.some((word) => /(?:^|\/)(?:wstack|wrongstack)(?:\.[cm]?[jt]s)?$/.test(word.value ?? ''));
}
