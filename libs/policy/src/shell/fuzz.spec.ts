import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { analyseCommand } from './analyse-command.js';

const HERE = { cwd: '/work/project', home: '/home/ada' };
const PIECES = [
  'rm',
  '-rf',
  'x',
  '$a',
  '${a@P}',
  '"',
  "'",
  '`',
  '$(',
  ')',
  '(',
  '{',
  '}',
  ';',
  '|',
  '&&',
  '||',
  '&',
  '\n',
  '<',
  '>',
  '>>',
  '<<E\n',
  'E\n',
  '<<<',
  '\\',
  '$((',
  '))',
  '[[',
  ']]',
  'if',
  'then',
  'fi',
  'for',
  'do',
  'done',
  'case',
  'esac',
  'in',
  '#',
  '!',
  '~',
  '*',
  '?',
  '[',
  ']',
  '{a,b}',
  '=',
  'a=1',
  ' ',
  ' ',
  '\t',
  'sudo',
  'bash',
  '-c',
  'git',
  '-C',
  'xargs',
  'find',
  '-exec',
  ';',
  '{}',
  '+',
  'sed',
  's/a/b/w',
  'awk',
  'cd',
  '..',
  '\0',
  'é',
  '𝒳',
  "$'\\x",
  '>&',
  '2>&1',
  'env',
  '-S',
  'tar',
  'eval',
  'function',
  'time',
  'coproc',
];

const rubbish = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .chain((pieces) => fc.constantFrom(pieces.join(''), pieces.join(' ')));

describe('whatever the input', () => {
  it('answers, never throws, and answers the same again', () => {
    fc.assert(
      fc.property(fc.oneof(rubbish, fc.string({ unit: 'binary', maxLength: 80 })), (text) => {
        const first = analyseCommand(text, HERE);
        expect(first.command.unparsedReason ?? '').not.toMatch(/^the analysis failed/);
        expect(analyseCommand(text, HERE)).toEqual(first);
        for (const { command } of [...first.paths, ...first.hosts]) {
          expect(first.command.commands[command]).toBeDefined();
        }
        for (const { inner } of first.command.commands) {
          for (const index of inner) expect(first.command.commands[index]).toBeDefined();
        }
      }),
      { numRuns: 800, seed: 20_261 },
    );
  });

  it('answers for any argument vector', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 8 }), (words) => {
        const { command } = analyseCommand(words, HERE);
        expect(command.unparsedReason ?? '').not.toMatch(/^the analysis failed/);
        if (words.length > 0) expect(command.commands[0]?.argv).toEqual(words);
      }),
      { numRuns: 500, seed: 20_262 },
    );
  });
});

/** Spellings of one plain word that mean the same to bash. */
function spelled(word: string): fc.Arbitrary<string> {
  const each = word
    .split(/(?:)/u)
    .map((letter) =>
      fc.constantFrom(
        letter,
        `\\${letter}`,
        `'${letter}'`,
        `"${letter}"`,
        `$'\\x${letter.charCodeAt(0).toString(16)}'`,
        `""${letter}`,
        `${letter}''`,
      ),
    );
  return fc.tuple(...each).map((letters) => letters.join(''));
}

const deletion = fc
  .tuple(
    fc.constantFrom('rm', '/bin/rm', '/usr/bin/rm').chain(spelled),
    fc
      .constantFrom('-rf', '-r -f', '-fr', '--recursive', '--force', '-Rv', '-i -f')
      .chain((flags) => fc.tuple(...flags.split(' ').map(spelled)).map((words) => words.join(' '))),
    fc.constantFrom('x', '"$a"', 'a/*', '~/x', '$(ls)'),
  )
  .map((words) => words.join(' '));

const quoted = (code: string): string => `'${code.replaceAll("'", "'\\''")}'`;

type Around = (inner: string) => string;

/** Wrappers that take the words of a simple command. */
const WORDS: readonly Around[] = [
  (inner) => `sudo -u root ${inner}`,
  (inner) => `doas ${inner}`,
  (inner) => `env -i A=1 ${inner}`,
  (inner) => `command -p ${inner}`,
  (inner) => `nohup ${inner}`,
  (inner) => `timeout -k 5 30 ${inner}`,
  (inner) => `nice -n 19 ${inner}`,
  (inner) => `exec ${inner}`,
  (inner) => `setsid ${inner}`,
  (inner) => `stdbuf -oL ${inner}`,
  (inner) => `ionice -c 3 ${inner}`,
  (inner) => `strace -f ${inner}`,
  (inner) => `chroot / ${inner}`,
  (inner) => `unshare -r ${inner}`,
  (inner) => `busybox ${inner}`,
  (inner) => `npx ${inner}`,
  (inner) => `pnpm dlx ${inner}`,
  (inner) => `uv run ${inner}`,
  (inner) => `bundle exec ${inner}`,
  (inner) => `docker exec -it box ${inner}`,
  (inner) => `docker run --rm -v a:/b image ${inner}`,
  (inner) => `kubectl exec pod -- ${inner}`,
  (inner) => `xargs -n 1 ${inner}`,
  (inner) => `find . -type f -exec ${inner} {} +`,
  (inner) => `flock /tmp/l ${inner}`,
  (inner) => `script -q /dev/null ${inner}`,
  (inner) => `git bisect run ${inner}`,
  (inner) => `bwrap --ro-bind / / --bind a b --dev /dev --chdir /x ${inner}`,
  (inner) => `proot -r /root ${inner}`,
  (inner) => `gdb --args ${inner}`,
  (inner) => `ls | entr ${inner}`,
  (inner) => `watchexec -w src -- ${inner}`,
  (inner) => `tmux new-window -n x ${inner}`,
  (inner) => `screen -dmS x ${inner}`,
];

/** Wrappers that take code as one word, so anything fits in. */
const CODE: readonly Around[] = [
  (inner) => `bash -c ${quoted(inner)}`,
  (inner) => `bash -lc ${quoted(inner)}`,
  (inner) => `bash -o pipefail -c ${quoted(inner)}`,
  (inner) => `sh -ec ${quoted(inner)} name`,
  (inner) => `su -c ${quoted(inner)}`,
  (inner) => `eval ${quoted(inner)}`,
  (inner) => `watch -n 1 ${quoted(inner)}`,
  (inner) => `flock /tmp/l -c ${quoted(inner)}`,
  (inner) => `script -qec ${quoted(inner)} /dev/null`,
  (inner) => `trap ${quoted(inner)} EXIT`,
  (inner) => `alias z=${quoted(inner)}`,
  (inner) => `nix-shell -p git --run ${quoted(inner)}`,
  (inner) => `nodemon --exec ${quoted(inner)}`,
  (inner) => `git -c alias.z=${quoted(`!${inner}`)} z`,
  (inner) => `sort --compress-program=${quoted(inner)} f`,
  (inner) => `tar xf a --to-command ${quoted(inner)}`,
  (inner) => `ssh host ${quoted(inner)}`,
  (inner) => `npx -c ${quoted(inner)}`,
];

/** Shell constructs: they hold any list of commands. */
const BLOCKS: readonly Around[] = [
  (inner) => `( ${inner})`,
  (inner) => `{ ${inner}; }`,
  (inner) => `if true; then ${inner}; fi`,
  (inner) => `for i in 1; do ${inner}; done`,
  (inner) => `while ${inner}; do :; done`,
  (inner) => `case x in x) ${inner};; esac`,
  (inner) => `f() { ${inner}; }; f`,
  (inner) => `echo "$( ${inner})"`,
  (inner) => `cat <( ${inner})`,
  (inner) => `(A=$( ${inner}) ls & wait)`,
  (inner) => `true && { ${inner}; } || false`,
  (inner) => `{ ${inner}; } >/dev/null 2>&1`,
  (inner) => `echo y | ( ${inner}) | cat`,
  (inner) => `! ( ${inner})`,
  (inner) => `time ( ${inner})`,
];

/** These end with a line, so they stand outermost. */
const LINES: readonly Around[] = [
  (inner) => inner,
  (inner) => `cat <<E\n$( ${inner})\nE`,
  (inner) => `echo # x\n${inner}`,
  (inner) => `cat <<'E'\n'\nE\n${inner}`,
];

const wrapped = fc
  .tuple(
    deletion,
    fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
    fc.array(fc.constantFrom(...BLOCKS), { maxLength: 2 }),
    fc.array(fc.constantFrom(...CODE), { maxLength: 2 }),
    // What xargs and find append would end up in the code.
    fc.array(fc.constantFrom(...WORDS.filter((around) => !/xargs|find/.test(around('')))), { maxLength: 1 }),
    fc.constantFrom(...LINES),
  )
  .map(([command, words, blocks, code, more, line]) => {
    const outermost = code.length > 0 ? more : [];
    const apply = (text: string, around: Around): string => around(text);
    return line([...words, ...blocks, ...code, ...outermost].reduce(apply, command));
  });

describe('a deletion', () => {
  it('is found however it is spelled and wrapped', () => {
    fc.assert(
      fc.property(wrapped, (text) => {
        const { command } = analyseCommand(text, HERE);
        expect([
          text,
          command.commands.some((one) => one.risk === 'destructive' && /rm/.test(one.riskReason ?? '')),
        ]).toEqual([text, true]);
      }),
      { numRuns: 800, seed: 20_263 },
    );
  });

  it.each([...WORDS, ...CODE, ...BLOCKS, ...LINES].map((around) => [around('rm -rf x')]))(
    'is found in %s',
    (text) => {
      const { command } = analyseCommand(text, HERE);
      expect(
        command.commands.some(
          (one) => one.argv[0] === 'rm' && one.argv[1] === '-rf' && one.risk === 'destructive',
        ),
      ).toBe(true);
    },
  );
});

describe('quote removal', () => {
  it('agrees with bash', () => {
    const piece = fc.constantFrom(
      "'a b'",
      '"c\\"d"',
      '"e\\f"',
      'g\\ h',
      "$'i\\tj'",
      "$'\\x41\\101\\u00e9'",
      "''",
      '""',
      'k',
      '{l,m}',
      '{1..3}',
      '{n,{o,p}}',
      '"{q,r}"',
      '\\{s,t}',
      '\\$u',
      "'$v'",
      '"\\$w"',
      '{a..e..2}',
      '{03..1}',
      'x{',
      '}y',
      ',',
    );
    const word = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const words = fc.sample(word, { numRuns: 300, seed: 20_264 });
    const script = words.map((one) => `printf '%s\\0' ${one}; printf '\\1'`).join('\n');
    const printed = execFileSync('bash', ['--norc', '-c', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] },
    });
    const expected = printed.split('\u0001').slice(0, -1);
    const found = words.map((one) => {
      const argv = analyseCommand(`printf ${one}`, HERE).command.commands[0]?.argv.slice(1) ?? [];
      return argv.map((value) => `${value ?? '?'}\0`).join('') || '\0';
    });
    expect(found.map((value, index) => [words[index], value])).toEqual(
      expected.map((value, index) => [words[index], value]),
    );
  });
});
