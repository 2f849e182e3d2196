import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { Language, Parser, type Node } from 'web-tree-sitter';
import { analyseCommand } from './analyse-command.js';

const locate = createRequire(__filename);
const vectors = JSON.parse(readFileSync(join(__dirname, 'vectors.json'), 'utf8')) as { command: string }[];

/** Plain names only: quoting differs between the two trees, and `analyse-command.spec.ts` checks it against bash. */
const PLAIN = /^[\w./:-]+$/;
const DECLARATIONS = new Set(['declaration_command', 'unset_command']);

/** The names of the simple commands in a tree of the other grammar. */
function namesInTree(root: Node): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'command') found.push(node.childForFieldName('name')?.text ?? '');
    if (DECLARATIONS.has(node.type)) found.push(node.child(0)?.text ?? '');
    if (node.type === 'test_command' && node.child(0)?.text === '[') found.push('[');
    for (const child of node.children) visit(child);
  };
  visit(root);
  return found.filter((name) => PLAIN.test(name) || name === '[').sort();
}

/** Ours: what stands in the source itself, not behind a wrapper, with a name that was written plainly. */
function namesFound(text: string): string[] {
  return analyseCommand(text, { cwd: '/w', home: '/h' })
    .command.commands.filter((one) => one.through.every((wrapper) => wrapper === 'time'))
    .map((one) => one.argv[0] ?? '')
    .filter((name) => PLAIN.test(name) || name === '[')
    .sort();
}

const name = fc.constantFrom('ls', 'cat', 'git', './x', 'make', 'id');
const argument = fc.constantFrom(
  'a',
  '-l',
  '"b c"',
  "'d'",
  '$e',
  '"$f"',
  '*.ts',
  'g=h',
  '\\$i',
  '2>/dev/null',
  '>out',
  '--x=y',
);
const simple = fc
  .tuple(name, fc.array(argument, { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest].join(' '));

const { script } = fc.letrec<{ script: string; unit: string }>((tie) => ({
  script: fc
    .tuple(
      tie('unit'),
      fc.array(fc.tuple(fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & '), tie('unit')), {
        maxLength: 3,
      }),
    )
    .map(([first, rest]) => first + rest.map(([separator, unit]) => separator + unit).join('')),
  unit: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.tuple(name, tie('script')).map(([first, inner]) => `${first} "$( ${inner} )"`),
    fc.tuple(name, tie('script')).map(([first, inner]) => `${first} $( ${inner} )`),
    fc.tuple(name, tie('script')).map(([first, inner]) => `${first} <( ${inner} )`),
    tie('script').map((inner) => `( ${inner} )`),
    tie('script').map((inner) => `{ ${inner}\n}`),
    tie('script').map((inner) => `if ${inner}\nthen ${inner}\nelse id\nfi`),
    tie('script').map((inner) => `while ${inner}\ndo id\ndone`),
    tie('script').map((inner) => `for i in a $( ${inner} )\ndo ${inner}\ndone`),
    tie('script').map((inner) => `case $( ${inner} ) in a) ${inner}\n;; esac`),
    tie('script').map((inner) => `A=$( ${inner} ) id`),
    tie('script').map((inner) => `f() { ${inner}\n}`),
    fc.tuple(name, tie('script')).map(([first, inner]) => `[ -f x ] && ${first} "\${y:-$( ${inner} )}"`),
  ),
}));

describe('an independent grammar', () => {
  let parser: Parser;

  beforeAll(async () => {
    const runtime = dirname(locate.resolve('web-tree-sitter'));
    await Parser.init({ locateFile: (file: string) => join(runtime, file) });
    const grammar = readFileSync(
      join(dirname(locate.resolve('tree-sitter-bash/package.json')), 'tree-sitter-bash.wasm'),
    );
    parser = new Parser();
    parser.setLanguage(await Language.load(grammar));
  });

  /** Null where that grammar cannot read the text. */
  function otherNames(text: string): string[] | null {
    const tree = parser.parse(text);
    if (tree === null) return null;
    try {
      return tree.rootNode.hasError ? null : namesInTree(tree.rootNode);
    } finally {
      tree.delete();
    }
  }

  it('finds the same simple commands in every vector', () => {
    // That grammar takes `coproc` for a program, and keeps the quotes of `s'ud'o`.
    const comparable = vectors.filter(({ command }) => !/^coproc|^s'ud'o/.test(command));
    const compared = comparable.flatMap(({ command }) => {
      const names = otherNames(command);
      const ours = analyseCommand(command, { cwd: '/w', home: '/h' }).command;
      return names === null || ours.unparsedReason?.startsWith('syntax error') ? [] : [{ command, names }];
    });
    expect(compared.length).toBeGreaterThan(vectors.length * 0.85);
    expect(compared.map(({ command }) => ({ command, names: namesFound(command) }))).toEqual(compared);
  });

  it('finds the same simple commands in generated scripts', () => {
    let compared = 0;
    fc.assert(
      fc.property(script, (text) => {
        const names = otherNames(text);
        if (names === null) return;
        compared++;
        expect({ text, names: namesFound(text) }).toEqual({ text, names });
      }),
      { numRuns: 100, seed: 20_265 },
    );
    expect(compared).toBeGreaterThan(60);
  });
});
