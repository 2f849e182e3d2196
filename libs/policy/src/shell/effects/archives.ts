import { names } from '../names.js';
import { hasOption, optionValues, scanOptions } from '../option-scan.js';
import { staticWord, wordTail, type ShellWord } from '../shell-word.js';
import type { EffectRule, FileUse } from './file-use.js';

const TAR_SHAPE = {
  short: 'fCIbgKLNTVXFH',
  long: names(`
    file directory files-from exclude-from exclude use-compress-program to-command checkpoint-action
    transform strip-components owner group mode listed-incremental index-file
  `),
};

/** Archives read or write whole trees. */
export const ARCHIVE_RULES: readonly EffectRule[] = [
  {
    programs: ['tar', 'gtar', 'bsdtar'],
    operands: 'none',
    why: '-c reads the members and writes the archive; -x reads the archive and writes the folder',
    special: tarFiles,
  },
  {
    programs: ['docker', 'podman', 'nerdctl'],
    operands: 'none',
    why: 'a mounted folder can be read and, unless it says ro, written; --env-file is read',
    special: mountedFiles,
  },
  {
    programs: ['unzip', 'funzip', 'unrar'],
    operands: 'none',
    why: 'reads the archive and writes the folder',
    special: unzipFiles,
  },
  {
    programs: ['7z', '7za', '7zz', '7zr', 'rar'],
    operands: 'none',
    why: 'x and e write the folder, a writes the archive',
    special: sevenZipFiles,
  },
  {
    programs: names(`
      gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress pigz brotli
    `),
    operands: 'write',
    shape: { short: 'So', long: ['suffix', 'output'] },
    writes: ['-o', '--output'],
    why: 'reads its operands and replaces them, or prints them with -c',
    special: (args) =>
      scanOptions(args, { short: 'So' }).operands.map((word): FileUse => ({ word, access: 'read' })),
  },
  {
    programs: ['zip'],
    operands: 'none',
    why: 'reads files and writes the archive, its first operand',
    special: zipFiles,
  },
  {
    programs: ['cpio', 'ar', 'pax'],
    operands: 'write',
    shape: { short: 'DFIOEHR' },
    reads: ['-I', '-F'],
    writes: ['-O', '-D'],
    why: 'reads and writes archives',
  },
];

function tarFiles(words: readonly ShellWord[]): FileUse[] {
  const args = withDash(words);
  const scanned = scanOptions(args, TAR_SHAPE);
  const folders = optionValues(scanned, '-C', '--directory');
  const archive = optionValues(scanned, '-f', '--file').filter((word) => word.value !== '-');
  const creates = hasOption(
    scanned,
    '-c',
    '-r',
    '-u',
    '-A',
    '--create',
    '--append',
    '--update',
    '--concatenate',
    '--delete',
  );
  const extracts = hasOption(scanned, '-x', '--extract', '--get');
  const uses: FileUse[] = optionValues(scanned, '-T', '--files-from', '-X', '--exclude-from').map((word) => ({
    word,
    access: 'read',
  }));
  uses.push(...archive.map((word): FileUse => ({ word, access: creates ? 'write' : 'read' })));
  if (creates)
    uses.push(...scanned.operands.map((word): FileUse => ({ word, access: 'read', folder: folders })));
  if (extracts && !hasOption(scanned, '-O', '--to-stdout', '--to-command')) {
    uses.push({ word: staticWord('.'), access: 'write', recursive: true, folder: folders });
    if (hasOption(scanned, '-P', '--absolute-names'))
      uses.push({ word: staticWord('/'), access: 'write', recursive: true });
  }
  return uses;
}

/** `tar xzf a.tgz`: the first word is a cluster of options even without its dash. */
export function withDash(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first, ...rest] = words;
  if (first?.value === null || first === undefined || first.value.startsWith('-')) return words;
  // In the old style each letter that takes a value takes the next unused word, in order.
  const letters = Array.from(first.value);
  const values = letters.filter((letter) => TAR_SHAPE.short.includes(letter));
  const flags = letters
    .filter((letter) => !TAR_SHAPE.short.includes(letter))
    .map((letter) => staticWord(`-${letter}`));
  const valued = values.flatMap((letter, index) => [
    staticWord(`-${letter}`),
    ...(rest[index] === undefined ? [] : [rest[index]]),
  ]);
  return [...flags, ...valued, ...rest.slice(values.length)];
}

function unzipFiles(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, { short: 'dxP' });
  const archive = scanned.operands[0];
  const uses: FileUse[] = archive === undefined ? [] : [{ word: archive, access: 'read' }];
  if (hasOption(scanned, '-l', '-t', '-p', '-v', '-Z', '-z')) return uses;
  return [
    ...uses,
    { word: optionValues(scanned, '-d')[0] ?? staticWord('.'), access: 'write', recursive: true },
  ];
}

function sevenZipFiles(args: readonly ShellWord[]): FileUse[] {
  const [verb, ...rest] = args;
  const operands = rest.filter((word) => !(word.value ?? word.lead).startsWith('-'));
  const [archive, ...members] = operands;
  if (archive === undefined) return [];
  const output = rest.find((word) => (word.value ?? word.lead).startsWith('-o'));
  switch (verb?.value) {
    case 'x':
    case 'e':
      return [
        { word: archive, access: 'read' },
        {
          word: output === undefined ? staticWord('.') : wordTail(output, 2),
          access: 'write',
          recursive: true,
        },
      ];
    case 'l':
    case 't':
      return [{ word: archive, access: 'read' }];
    default:
      return [
        { word: archive, access: 'write' },
        ...members.map((word): FileUse => ({ word, access: 'read' })),
      ];
  }
}

function zipFiles(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, { short: 'bnt', long: ['out', 'temp-path'] });
  const uses = scanned.operands.map((word, index): FileUse => ({
    word,
    access: index === 0 ? 'write' : 'read',
  }));
  // `-R` looks for its patterns in the working folder and below.
  if (hasOption(scanned, '-R', '--recurse-patterns')) uses.push({ word: staticWord('.'), access: 'read' });
  return [...uses, ...optionValues(scanned, '--out').map((word): FileUse => ({ word, access: 'write' }))];
}

/** `-v /host:/box:ro`, `--mount type=bind,source=/host`. A bare name is a volume and no folder. */
function mountedFiles(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, { exact: true, short: 'v', long: ['volume', 'mount', 'env-file'] });
  const uses = optionValues(scanned, '--env-file').map((word): FileUse => ({ word, access: 'read' }));
  for (const word of optionValues(scanned, '-v', '--volume', '--mount')) {
    const text = word.value ?? word.lead;
    const bound =
      /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ??
      (text.includes('=') ? '' : (text.split(':')[0] ?? ''));
    if (word.value !== null && !/^(?:[/.~])/.test(bound)) continue;
    const host = word.value === null ? word : { ...staticWord(bound), tilde: word.tilde };
    uses.push({ word: host, access: 'read' });
    if (!/:(?:.*,)?ro(?:,|$)|,(?:ro|readonly)(?:=true)?(?:,|$)/.test(text))
      uses.push({ word: host, access: 'write', recursive: true });
  }
  return uses;
}
