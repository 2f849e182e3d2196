import { names } from '../names.js';
import { hasOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import { readAwkProgram } from '../awk-program.js';
import { readSedScripts } from '../sed-script.js';
import { runtimeWord, staticWord, type ShellWord } from '../shell-word.js';
import { recursesByValue } from './recursive-readers.js';
import { SHELLS } from '../wrappers/shells.js';
import { credentialParts } from './credential-words.js';
import type { EffectRule, FileUse } from './file-use.js';

const read = (word: ShellWord): FileUse => ({ word, access: 'read' });
const write = (word: ShellWord): FileUse => ({ word, access: 'write' });

const GREP = {
  short: 'efmABCdD',
  long: names(`
    regexp file max-count after-context before-context context include exclude exclude-dir
    exclude-from label binary-files directories devices
  `),
};
const RG = {
  exact: true,
  short: 'efmABCgjMrtTEd',
  long: names(`
    regexp file max-count after-context before-context context glob iglob type type-not type-add
    ignore-file max-depth max-columns max-filesize replace sort sortr threads encoding engine colors
    color pre pre-glob hostname-bin path-separator
  `),
};

/** Programs that print, search or send on the content of their operands. */
export const READER_RULES: readonly EffectRule[] = [
  // A letter that takes a value in one program is a flag in the next one, and taking a file for a value would hide it.
  // Values that pass for files do no harm, so only options that matter have a shape.
  {
    programs: names(`
      cat tac nl less more most bat batcat view expand unexpand rev paste column comm join wc fold head
      tail sum cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum strings
      zcat bzcat xzcat zless zmore lz4cat zstdcat ul look glow vi vim nvim nano emacs xclip pbcopy
      hexyl open xdg-open lpr cut tsort od hexdump hd exiftool psql mysql
    `),
    operands: 'read',
    shape: { long: ['files0-from'] },
    reads: ['--files0-from'],
    why: 'prints or passes on what it is given',
  },
  {
    programs: [
      'pr',
      'fmt',
      'pandoc',
      'gpg',
      'gpg2',
      'age',
      'enscript',
      'shuf',
      'numfmt',
      'sdiff',
      'delta',
      'gs',
    ],
    operands: 'read',
    shape: { short: 'o', long: ['output', 'random-source'] },
    reads: ['--random-source'],
    writes: ['-o', '--output'],
    why: 'prints its operands, or writes them elsewhere with -o',
  },
  {
    programs: ['date', 'file', 'du', 'realpath'],
    operands: 'none',
    shape: { short: 'fmX', long: ['file', 'files-from', 'magic-file', 'files0-from', 'exclude-from'] },
    reads: ['-f', '--file', '--files-from', '-m', '--magic-file', '-X', '--exclude-from', '--files0-from'],
    why: 'names alone imply nothing, but a list of names is read from a file and shown',
  },
  {
    programs: ['tree'],
    operands: 'none',
    why: 'names alone imply nothing, but --fromfile, --fromtabfile, --gitfile and --infofile show what a file holds',
    special: treeFiles,
  },
  {
    programs: ['grep', 'egrep', 'fgrep', 'ggrep', 'zgrep', 'zegrep', 'bzgrep', 'xzgrep', 'pcregrep'],
    operands: 'pattern-then-read',
    shape: GREP,
    gives: ['-e', '--regexp', '-f', '--file'],
    reads: ['-f', '--file', '--exclude-from'],
    why: 'prints the lines that match',
    special: (args) =>
      defaultFolder(
        args,
        GREP,
        recursesByValue(args) ? null : ['-r', '-R', '--recursive', '--dereference-recursive'],
      ),
  },
  {
    programs: ['rg', 'ugrep', 'ug', 'rgrep'],
    operands: 'pattern-then-read',
    shape: RG,
    gives: ['-e', '--regexp', '-f', '--file', '--files'],
    reads: ['-f', '--file', '--ignore-file'],
    why: 'prints the lines that match below its operands',
    special: (args) => defaultFolder(args, RG, null),
  },
  {
    programs: ['ag', 'ack', 'pt'],
    operands: 'pattern-then-read',
    shape: { short: 'ABCm' },
    why: 'prints the lines that match below its operands',
    special: (args) => defaultFolder(args, { short: 'ABCm' }, null),
  },
  {
    programs: ['sort', 'gsort'],
    operands: 'read',
    shape: {
      short: 'koStT',
      long: names(`
        key output buffer-size temporary-directory field-separator compress-program files0-from
        random-source parallel batch-size
      `),
    },
    reads: ['--files0-from', '--random-source'],
    writes: ['-o', '--output', '-T', '--temporary-directory'],
    why: 'prints its operands, and -o writes them',
  },
  {
    programs: ['uniq'],
    operands: 'read-then-write',
    shape: { short: 'fsw', long: ['skip-fields', 'skip-chars', 'check-chars'] },
    why: 'its second operand is written',
  },
  {
    programs: ['xxd'],
    operands: 'read',
    why: 'dumps its operand; the second one is written',
    special: xxdOutput,
  },
  {
    programs: ['base64', 'base32', 'basenc', 'uuencode'],
    operands: 'read',
    shape: { short: 'wiob', long: ['wrap', 'input', 'output', 'break'] },
    reads: ['-i', '--input'],
    writes: ['-o', '--output'],
    why: 'prints its operand in another alphabet',
  },
  {
    programs: ['jq', 'yq', 'gojq', 'jaq', 'fx', 'xmllint', 'tomlq', 'dasel', 'htmlq', 'xq', 'mlr'],
    operands: 'pattern-then-read',
    shape: { short: 'fL', long: ['from-file', 'indent', 'output', 'xpath', 'schema'] },
    gives: ['-f', '--from-file', '--xpath'],
    reads: ['-f', '--from-file', '--schema', '-L'],
    writes: ['--output'],
    why: 'prints what it selects',
    special: jqFiles,
  },
  {
    programs: ['diff', 'cmp', 'diff3', 'colordiff', 'difft', 'vimdiff', 'wdiff', 'icdiff'],
    operands: 'read',
    shape: { short: 'X', long: ['from-file', 'to-file', 'exclude-from', 'output'] },
    reads: ['--from-file', '--to-file', '-X', '--exclude-from'],
    writes: ['--output'],
    why: 'prints both files where they differ',
  },
  {
    programs: ['source', '.'],
    operands: 'read-first',
    shape: { stopAtOperand: true },
    why: 'runs a file in this shell',
  },
  {
    programs: [...SHELLS],
    operands: 'none',
    why: 'runs a script file',
    special: (args) => scriptFile(args, 'oO'),
  },
  {
    programs: names(`
      python python2 python3 pypy pypy3 node nodejs tsx ts-node deno bun perl ruby php lua luajit
      Rscript julia tclsh osascript groovy racket guile elixir
    `),
    operands: 'none',
    why: 'runs a script file',
    special: (args, name) => scriptFile(args, name.startsWith('py') ? 'cmWX' : 'eprCIE'),
  },
  {
    programs: ['sed', 'gsed'],
    operands: 'none',
    why: 'prints its operands; w and -i write',
    special: sedFiles,
  },
  {
    programs: ['awk', 'gawk', 'mawk', 'nawk', 'original-awk'],
    operands: 'none',
    why: 'prints its operands; print > writes',
    special: awkFiles,
  },
  {
    programs: ['openssl'],
    operands: 'none',
    shape: { words: ['-in', '-out', '-key', '-inkey', '-cert', '-keyout', '-CAfile', '-config'] },
    reads: ['-in', '-key', '-inkey', '-cert', '-CAfile', '-config'],
    writes: ['-out', '-keyout'],
    why: 'reads keys and writes files by option',
  },
  {
    programs: ['ssh-add', 'ssh-keygen'],
    operands: 'read',
    shape: { short: 'fs' },
    reads: ['-f', '-s'],
    writes: ['-f'],
    why: 'reads and makes private keys',
  },
  {
    programs: ['xargs', 'gxargs'],
    operands: 'none',
    shape: { short: 'aEdILnPsJRS', long: ['arg-file'], stopAtOperand: true },
    reads: ['-a', '--arg-file'],
    why: 'reads its words from a file',
  },
];

/** A recursive search without a folder searches the working folder. */
function defaultFolder(
  args: readonly ShellWord[],
  shape: OptionShape,
  recursive: readonly string[] | null,
): FileUse[] {
  const scanned = scanOptions(args, shape);
  if (recursive !== null && !hasOption(scanned, ...recursive)) return [];
  const given = hasOption(scanned, '-e', '--regexp', '-f', '--file', '--files');
  return scanned.operands.length > (given ? 0 : 1) || scanned.dynamic ? [] : [read(staticWord('.'))];
}

function scriptFile(args: readonly ShellWord[], valued: string): FileUse[] {
  const scanned = scanOptions(args, {
    short: valued,
    long: ['rcfile', 'init-file', 'require', 'import', 'eval', 'print', 'loader', 'env-file'],
    stopAtOperand: true,
  });
  const files = optionValues(
    scanned,
    '--rcfile',
    '--init-file',
    '--require',
    '--import',
    '--loader',
    '--env-file',
  ).map(read);
  const clustered = scanned.options.some((option) => /^-[ceEm]$/.test(option.name));
  const first = clustered ? undefined : scanned.operands[0];
  if (first === undefined || first.value === '-') return files;
  // `<(…)` is a pipe, and `npm run` style names of bun and deno are no files.
  if (/^[<>]\(/.test(first.text) || /^(?:run|test|install|add|x|exec|task|fmt|lint)$/.test(first.value ?? ''))
    return files;
  return [...files, read(first)];
}

function xxdOutput(args: readonly ShellWord[], name: string): FileUse[] {
  if (name !== 'xxd') return [];
  const target = scanOptions(args, { short: 'clsogn' }).operands[1];
  return target === undefined ? [] : [write(target)];
}

/** `--slurpfile name file` takes two words; `-i` of yq edits in place. */
function jqFiles(args: readonly ShellWord[], name: string): FileUse[] {
  const uses: FileUse[] = [];
  args.forEach((word, index) => {
    const file = args[index + 2];
    if (
      (word.value === '--slurpfile' || word.value === '--rawfile' || word.value === '--argfile') &&
      file !== undefined
    )
      uses.push(read(file));
  });
  if (
    /^(?:yq|tomlq|mlr|dasel)$/.test(name) &&
    args.some((word) => /^-[a-zA-Z]*i|^-I$|^--in-?place/.test(word.value ?? ''))
  ) {
    uses.push(...scanOptions(args).operands.slice(1).map(write));
  }
  return uses;
}

function treeFiles(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, {
    short: 'LPIoHT',
    long: ['gitfile', 'infofile', 'filelimit', 'charset'],
  });
  const shown = hasOption(scanned, '--fromfile', '--fromtabfile') ? scanned.operands : [];
  return [...shown, ...optionValues(scanned, '--gitfile', '--infofile')].map(read);
}

function sedFiles(args: readonly ShellWord[]): FileUse[] {
  const script = readSedScripts(args);
  const edited = script.inPlace ? script.files.map(write) : [];
  const unknown = script.unreadable === null ? [] : [write(runtimeWord('sed script'))];
  return [
    ...script.files.map(read),
    ...script.reads.map(read),
    ...script.writes.map(write),
    ...edited,
    ...unknown,
  ];
}

function awkFiles(args: readonly ShellWord[]): FileUse[] {
  const program = readAwkProgram(args);
  const inPlace = args.some((word) => word.value === 'inplace' || word.value === '-iinplace');
  const unknown = [
    ...(program.writes && !inPlace ? [write(runtimeWord('awk output'))] : []),
    // `getline < ".env"`: which file it reads is in the program's text, if anywhere.
    ...(program.reads ? [read(runtimeWord('awk input')), ...args.flatMap(credentialParts).map(read)] : []),
  ];
  return [
    ...program.files.map(read),
    ...program.scripts.map(read),
    ...(inPlace ? program.files.map(write) : []),
    ...unknown,
  ];
}
