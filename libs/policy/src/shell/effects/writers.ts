import { names } from '../names.js';
import { makesHarmless, hasOption, optionValues, scanOptions } from '../option-scan.js';
import { runtimeWord, staticWord, wordTail, type ShellWord } from '../shell-word.js';
import type { EffectRule, FileUse } from './file-use.js';

const read = (word: ShellWord): FileUse => ({ word, access: 'read' });
const write = (word: ShellWord): FileUse => ({ word, access: 'write' });

const COPY = {
  short: 'tSgmo',
  long: ['target-directory', 'suffix', 'mode', 'owner', 'group', 'no-preserve', 'sparse'],
};
const RSYNC = {
  exact: true,
  short: 'efBTM',
  long: names(`
    rsh rsync-path filter exclude include exclude-from include-from files-from log-file backup-dir
    temp-dir partial-dir compare-dest copy-dest link-dest password-file write-batch read-batch chmod
    chown port bwlimit
  `),
};
const CURL = {
  short: 'oTdFHubAeXKEcDmwxYyzCrPQtU',
  long: names(`
    output output-dir upload-file data data-binary data-raw data-urlencode data-ascii json form
    form-string header user cookie user-agent referer request config cert key cacert capath cookie-jar
    dump-header max-time write-out proxy netrc-file trace trace-ascii stderr etag-save etag-compare
    connect-timeout retry resolve range url limit-rate libcurl hsts alt-svc unix-socket proxy-header
    expand-data
  `),
};
const WGET = {
  short: 'oOPiaBtTwQUlADIReX',
  long: names(`
    output-document output-file append-output directory-prefix input-file config post-file body-file
    load-cookies save-cookies certificate private-key ca-certificate header post-data body-data method
    user password tries timeout wait user-agent referer execute use-askpass warc-file rejected-log
    hsts-file
  `),
};

/** Programs that write, replace or remove their operands. */
export const WRITER_RULES: readonly EffectRule[] = [
  {
    programs: ['cp', 'gcp', 'install', 'ditto'],
    operands: 'copy',
    shape: COPY,
    why: 'reads the sources and writes the target',
    special: directories,
  },
  {
    programs: ['mv', 'gmv'],
    operands: 'move',
    shape: COPY,
    why: 'removes the sources and writes the target',
  },
  {
    programs: ['ln', 'gln', 'link', 'symlink'],
    operands: 'copy',
    shape: COPY,
    why: 'makes the target another name of the source, for reading and writing',
    special: linkSources,
  },
  { programs: ['tee', 'sponge'], operands: 'write', why: 'writes its input' },
  {
    programs: names(`
      rm grm rmdir unlink shred srm wipe trash trash-put rd del erase
    `),
    operands: 'write',
    shape: { short: 'n', long: ['iterations', 'size', 'random-source'] },
    why: 'removes its operands',
  },
  {
    programs: ['mkdir', 'mkfifo', 'mknod', 'fallocate', 'mktemp', 'chattr', 'chflags', 'xattr', 'rename'],
    operands: 'write',
    shape: { short: 'm', long: ['mode'] },
    why: 'creates or changes its operands',
  },
  {
    programs: ['touch', 'truncate'],
    operands: 'write',
    shape: { short: 'rtds', long: ['reference', 'date', 'size', 'time'] },
    reads: ['-r', '--reference'],
    why: 'creates its operands or cuts them to a size',
  },
  {
    programs: ['chmod', 'gchmod', 'chown', 'chgrp', 'gchown', 'setcap'],
    operands: 'mode-then-write',
    shape: { long: ['reference', 'from'] },
    // `chmod -x file`: the mode looks like options.
    gives: ['--reference', '-r', '-w', '-x', '-X', '-s', '-t'],
    reads: ['--reference'],
    why: 'changes the modes or owners of its operands',
  },
  {
    programs: ['setfacl'],
    operands: 'write',
    shape: { short: 'mxMX', long: ['modify', 'remove', 'modify-file', 'remove-file', 'restore'] },
    reads: ['-M', '-X', '--restore'],
    why: 'changes the access lists of its operands',
  },
  { programs: ['dd'], operands: 'none', why: 'reads if=, writes of=', special: ddFiles },
  {
    programs: ['rsync'],
    operands: 'copy',
    shape: RSYNC,
    reads: ['--exclude-from', '--include-from', '--files-from', '--password-file', '--read-batch'],
    writes: ['--log-file', '--backup-dir', '--temp-dir', '--partial-dir', '--write-batch'],
    why: 'copies between folders or machines',
    special: rsyncSources,
  },
  {
    programs: ['scp', 'sftp'],
    operands: 'copy',
    shape: { short: 'cFiJloPSDX' },
    reads: ['-F', '-i'],
    why: 'copies between machines',
  },
  {
    programs: ['curl'],
    operands: 'none',
    shape: CURL,
    reads: ['-K', '--config', '-T', '--upload-file', '-E', '--cert', '--key', '--netrc-file', '--cacert'],
    writes: names(`
      -o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr
      --etag-save --libcurl --hsts --alt-svc
    `),
    why: '-o, -O and -D write; -T, -K and @file read',
    special: curlFiles,
  },
  {
    programs: ['wget', 'wget2'],
    operands: 'none',
    shape: WGET,
    reads: names(`
      -i --input-file --config --post-file --body-file --load-cookies --certificate --private-key
    `),
    writes: names(`
      -O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies
      --warc-file --rejected-log --hsts-file
    `),
    why: 'writes what it fetches',
    special: wgetFolder,
  },
  {
    programs: ['aria2c', 'axel', 'yt-dlp', 'http', 'https', 'xh'],
    operands: 'none',
    shape: { short: 'odP', long: ['dir', 'out', 'output', 'paths', 'download'] },
    writes: ['-o', '-d', '--dir', '--out', '--output', '-P', '--paths'],
    why: 'writes what it fetches',
  },
  {
    programs: ['patch', 'gpatch'],
    operands: 'none',
    shape: { short: 'pidorBVYzDFg', long: ['strip', 'input', 'directory', 'output', 'reject-file'] },
    reads: ['-i', '--input'],
    writes: ['-o', '--output', '-r', '--reject-file', '-d', '--directory'],
    why: 'changes the files that the patch names',
    special: patchFiles,
  },
  {
    programs: ['split', 'gsplit', 'csplit'],
    operands: 'read-then-write',
    shape: {
      short: 'abClntf',
      long: ['bytes', 'lines', 'number', 'prefix', 'suffix-length', 'filter', 'additional-suffix'],
    },
    writes: ['-f', '--prefix'],
    why: 'writes the pieces',
  },
  {
    programs: ['find', 'gfind', 'bfs'],
    operands: 'none',
    why: '-fprint and the like write; -delete removes; the search alone prints names',
    special: findFiles,
  },
  {
    programs: ['crontab', 'at', 'batch'],
    operands: 'read',
    shape: { short: 'ufqtM' },
    reads: ['-f'],
    why: 'reads the jobs to run later',
  },
  {
    programs: ['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++', 'ld', 'rustc', 'as', 'strip', 'objcopy'],
    operands: 'none',
    shape: { short: 'oILlDU', long: ['output', 'out-dir'] },
    writes: ['-o', '--output', '--out-dir'],
    why: '-o writes',
  },
  {
    programs: ['mount', 'umount', 'losetup'],
    operands: 'write',
    shape: { short: 'toLU' },
    why: 'puts another file system in the place of its operands',
  },
  { programs: ['ed', 'ex'], operands: 'write', why: 'edits its operands' },
];

/** `install -d` and `mkdir` make every operand. */
function directories(args: readonly ShellWord[], name: string): FileUse[] {
  const scanned = scanOptions(args, COPY);
  return name === 'install' && hasOption(scanned, '-d', '--directory') ? scanned.operands.map(write) : [];
}

/** A link to a file that may be written is a way to write it; a link with one operand lands in the working folder. */
function linkSources(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, COPY);
  const only = scanned.operands.length === 1 ? scanned.operands[0] : undefined;
  return only === undefined ? [] : [read(only), write(staticWord('.'))];
}

function ddFiles(args: readonly ShellWord[]): FileUse[] {
  return args.flatMap((word) => {
    const text = word.value ?? word.lead;
    if (text.startsWith('if=')) return [read(wordTail(word, 3))];
    if (text.startsWith('of=')) return [write(wordTail(word, 3))];
    return word.value === null ? [read(word), write(word)] : [];
  });
}

function rsyncSources(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, RSYNC);
  return hasOption(scanned, '--remove-source-files') ? scanned.operands.slice(0, -1).map(write) : [];
}

/** `-d @file`, `-F name=@file`, `-H @file` read; `-O` writes into the working folder. */
function curlFiles(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, CURL);
  const uses: FileUse[] = [];
  const data = names(`
    -d --data --data-binary --data-ascii --json -H --header --proxy-header -w --write-out
  `);
  for (const word of optionValues(scanned, ...data))
    if ((word.value ?? word.lead).startsWith('@')) uses.push(read(wordTail(word, 1)));
  for (const word of optionValues(scanned, '-F', '--form', '--data-urlencode', '--expand-data')) {
    const at = /[=@<](?:[@<])?/.exec(word.value ?? word.lead);
    if (at !== null && /[@<]/.test(at[0]))
      uses.push(read(beforeSemicolon(wordTail(word, at.index + at[0].length))));
  }
  for (const word of optionValues(scanned, '-b', '--cookie'))
    if (word.value !== null && !word.value.includes('=')) uses.push(read(word));
  if (hasOption(scanned, '-n', '--netrc', '--netrc-optional'))
    uses.push(read({ ...staticWord('~/.netrc'), tilde: true }));
  if (hasOption(scanned, '-O', '--remote-name', '--remote-name-all', '-J'))
    uses.push(write(optionValues(scanned, '--output-dir')[0] ?? staticWord('.')));
  for (const word of scanned.operands)
    if (/^file:\/\//i.test(word.value ?? ''))
      uses.push(read(staticWord((word.value ?? '').replace(/^file:\/\/[^/]*/i, ''))));
  for (const word of scanned.operands)
    if (word.value === null && /file:\/\//i.test(word.text)) uses.push(read(word));
  if (scanned.dynamic) uses.push(write(runtimeWord('curl options')));
  return uses;
}

/** `-F 'f=@file;type=text/plain'` */
function beforeSemicolon(word: ShellWord): ShellWord {
  const end = word.value?.indexOf(';') ?? -1;
  return end < 0 ? word : { ...word, value: word.value?.slice(0, end) ?? null };
}

function wgetFolder(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, WGET);
  if (
    scanned.operands.length === 0 ||
    hasOption(scanned, '-O', '--output-document', '-P', '--directory-prefix', '--spider')
  )
    return [];
  return [write(staticWord('.'))];
}

function patchFiles(args: readonly ShellWord[]): FileUse[] {
  const scanned = scanOptions(args, {
    short: 'pidorBVYzDFg',
    long: ['strip', 'input', 'directory', 'output', 'reject-file'],
  });
  if (makesHarmless(scanned, '--dry-run', '-C', '--check')) return scanned.operands.map(read);
  const [target, source] = scanned.operands;
  // Without an operand the patch itself says what it changes.
  return [
    ...(target === undefined ? [write(runtimeWord('patched files'))] : [write(target)]),
    ...(source === undefined ? [] : [read(source)]),
  ];
}

function findFiles(args: readonly ShellWord[]): FileUse[] {
  const uses: FileUse[] = [];
  args.forEach((word, index) => {
    const file = args[index + 1];
    if (/^-(?:fprint|fprint0|fprintf|fls)$/.test(word.value ?? '') && file !== undefined)
      uses.push(write(file));
    if (word.value === '-files0-from' && file !== undefined) uses.push(read(file));
  });
  if (!args.some((word) => word.value === '-delete')) return uses;
  const end = args.findIndex((word) => /^[-(!]/.test(word.value ?? ''));
  const starts = end < 0 ? args : args.slice(0, end);
  const searched = starts.length > 0 ? starts : [staticWord('.')];
  return [...uses, ...searched.map((word): FileUse => ({ word, access: 'write', recursive: true }))];
}
