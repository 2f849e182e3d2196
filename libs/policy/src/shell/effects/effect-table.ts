import { hasOption, optionValues, scanOptions, type ScannedArguments } from '../option-scan.js';
import { runtimeWord, type ShellWord } from '../shell-word.js';
import type { OutputFlow } from '../output-flow.js';
import { isHarmless } from '../redirects.js';
import { ARCHIVE_RULES } from './archives.js';
import { handedCredentials, hiddenCredentials } from './credential-words.js';
import type { EffectRule, FileUse } from './file-use.js';
import { CREDENTIAL_PRINTER_RULES } from './credential-printers.js';
import { GIT_EFFECT_RULES } from './git-files.js';
import { READER_RULES } from './readers.js';
import { readsBelow } from './recursive-readers.js';
import { writesBelow } from './recursive-writers.js';
import { WRITER_RULES } from './writers.js';

/** Every row, by chapter. The page libs/policy/spec/shell.md shows the same. */
export const EFFECT_CHAPTERS: Readonly<Record<string, readonly EffectRule[]>> = {
  readers: READER_RULES,
  writers: WRITER_RULES,
  archives: ARCHIVE_RULES,
  git: GIT_EFFECT_RULES,
  credentials: CREDENTIAL_PRINTER_RULES,
};

let table: Map<string, EffectRule[]> | null = null;

/** The files that the words of a call name; `-` and the standard streams are none. A program without a row implies nothing. */
export function impliedFiles(
  name: string,
  args: readonly ShellWord[],
  output: OutputFlow = 'shown',
): FileUse[] {
  table ??= buildTable();
  const program = name.toLowerCase();
  const rules = table.get(program) ?? [];
  const uses = rules.flatMap((rule) => usesOf(rule, args, name, output));
  uses.push(...uses.flatMap(({ word, access }) => (access === 'read' ? hiddenCredentials(word) : [])));
  const told = rules.some(({ operands }) => operands !== 'none');
  uses.push(...handedCredentials(program, args, told));
  const named = uses.filter(({ word }) => word.value !== '-' && !isHarmless(word.value ?? ''));
  const deep = {
    read: named.some(({ access }) => access === 'read') && readsBelow(program, args),
    write: named.some(({ access }) => access === 'write') && writesBelow(program, args),
  };
  return named.map((use) =>
    deep[use.access] && use.unless === undefined ? { ...use, recursive: true } : use,
  );
}

function buildTable(): Map<string, EffectRule[]> {
  const built = new Map<string, EffectRule[]>();
  for (const rule of Object.values(EFFECT_CHAPTERS).flat()) {
    for (const program of rule.programs) {
      const key = program.toLowerCase();
      built.set(key, [...(built.get(key) ?? []), rule]);
    }
  }
  return built;
}

function usesOf(rule: EffectRule, args: readonly ShellWord[], name: string, output: OutputFlow): FileUse[] {
  const scanned = scanOptions(args, rule.shape);
  const uses: FileUse[] = [...(rule.special?.(args, name, output) ?? [])];
  uses.push(
    ...optionValues(scanned, ...(rule.reads ?? [])).map((word): FileUse => ({ word, access: 'read' })),
  );
  uses.push(
    ...optionValues(scanned, ...(rule.writes ?? [])).map((word): FileUse => ({ word, access: 'write' })),
  );
  // `-o$x` in an unknown word: whatever writes by option may be asked to.
  if ((rule.writes ?? []).length > 0 && scanned.dynamic) {
    uses.push({ word: runtimeWord('an option that is not static'), access: 'write' });
  }
  const given = rule.gives !== undefined && hasOption(scanned, ...rule.gives);
  uses.push(...operandUses(rule, scanned, given));
  return uses;
}

function operandUses(rule: EffectRule, scanned: ScannedArguments, given: boolean): FileUse[] {
  const { operands } = scanned;
  const read = (word: ShellWord): FileUse => ({ word, access: 'read' });
  const write = (word: ShellWord): FileUse => ({ word, access: 'write' });
  switch (rule.operands) {
    case 'none':
      return [];
    case 'read':
      return operands.map(read);
    case 'read-first':
      return operands.slice(0, 1).map(read);
    case 'write':
      return operands.map(write);
    case 'pattern-then-read':
      return operands.slice(given ? 0 : 1).map(read);
    case 'mode-then-write':
      return operands.slice(given ? 0 : 1).map(write);
    case 'read-then-write':
      return [...operands.slice(0, 1).map(read), ...operands.slice(1).map(write)];
    case 'copy':
    case 'move':
      return transferUses(rule, scanned);
  }
}

function transferUses(rule: EffectRule, scanned: ScannedArguments): FileUse[] {
  const { operands } = scanned;
  const targets = optionValues(scanned, '-t', '--target-directory');
  const intoFolder = rule.shape?.short?.includes('t') === true && targets.length > 0;
  const given = intoFolder ? operands : operands.slice(0, -1);
  const sources = given.filter(isHere);
  const target = (intoFolder ? targets : operands.slice(-1)).filter(isHere);
  const removed = rule.operands === 'move' ? sources : [];
  // `-T`: the target is no folder to put things into, it is what the source becomes.
  const receives = hasOption(scanned, '-T', '--no-target-directory') ? sources.map(contentsOf) : sources;
  // What comes from elsewhere, and what `--delete` removes, lies anywhere below the target.
  const anywhere = sources.length < given.length || deletesAtTarget(scanned) ? target : [];
  return [
    ...sources.map((word): FileUse => ({ word, access: 'read' })),
    ...removed.map((word): FileUse => ({ word, access: 'write' })),
    ...target.map((word): FileUse => ({ word, access: 'write', receives })),
    ...anywhere.map((word): FileUse => ({ word, access: 'write' })),
  ];
}

function contentsOf(word: ShellWord): ShellWord {
  return word.value === null ? word : { ...word, value: `${word.value}/.` };
}

function deletesAtTarget({ options }: ScannedArguments): boolean {
  return options.some(({ name }) => name.startsWith('--del'));
}

/** `host:path` and `host::module` of scp and rsync lie elsewhere. A colon behind a slash is part of a name. */
function isHere(word: ShellWord): boolean {
  return !/^[\w.@[\]-]+:/.test(word.value ?? '');
}
