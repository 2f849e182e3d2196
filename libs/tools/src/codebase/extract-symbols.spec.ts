import { blankNonCode } from './blank-code.js';
import { extractSymbols } from './extract-symbols.js';
import { LEXES } from './languages.js';
import { termsOf } from './terms.js';

const symbols = (path: string, ...lines: readonly string[]): readonly string[] =>
  extractSymbols(path, lines.join('\n')).map(({ name, kind, line }) => `${line} ${kind} ${name}`);

describe('symbols', () => {
  it('of TypeScript', () => {
    expect(
      symbols(
        'a.ts',
        'export abstract class Store<T> extends Base {',
        '  private readonly items = new Map();',
        '  static async load(path: string): Promise<Store> {',
        '    if (x) { helper(); }',
        '    const inner = () => 1;',
        '  }',
        '  #hidden<T>(a: T) {',
        '  }',
        '}',
        'export const LIMIT = 3;',
        'export const add = (a: number, b: number): number => a + b;',
        'export default async function main() {}',
        'interface Shape { area(): number }',
        "type Kind = 'a' | 'b';",
        'export const enum Colour { Red }',
        'declare namespace Deep.Er {',
      ),
    ).toEqual([
      '1 class Store',
      '3 method load',
      '7 method #hidden',
      '10 constant LIMIT',
      '11 function add',
      '12 function main',
      '13 interface Shape',
      '14 type Kind',
      '15 enum Colour',
      '16 module Deep.Er',
    ]);
  });

  it('of Python', () => {
    expect(
      symbols(
        'a.py',
        'MOST = 3',
        'class Cat(Animal):',
        '    async def purr(self):',
        '        pass',
        'def free(x):',
        '    y = 1',
        'lower = 2',
      ),
    ).toEqual(['1 constant MOST', '2 class Cat', '3 method purr', '5 function free']);
  });

  it('of Go', () => {
    expect(
      symbols(
        'a.go',
        'package a',
        'type Server struct {',
        '}',
        'type Handler interface {',
        '}',
        'func (s *Server) Run() error {',
        '}',
        'func New() *Server {',
        '}',
        'const Most = 1',
        'var state int',
        'type ID string',
      ),
    ).toEqual([
      '2 struct Server',
      '4 interface Handler',
      '6 method Run',
      '8 function New',
      '10 constant Most',
      '11 variable state',
      '12 type ID',
    ]);
  });

  it('of Rust', () => {
    expect(
      symbols(
        'a.rs',
        'pub(crate) struct Tree<T> { x: T }',
        "impl<'a> Tree<'a> {",
        '    pub async unsafe fn walk(&self) {}',
        '}',
        'pub trait Shape {}',
        'enum E { A }',
        'pub const MOST: u8 = 1;',
        'macro_rules! my { () => {} }',
        'mod inner {}',
        "fn f<'a>(c: char) -> bool { c == '{' }",
        'fn g() {}',
      ),
    ).toEqual([
      '1 struct Tree',
      '3 method walk',
      '5 trait Shape',
      '6 enum E',
      '7 constant MOST',
      '8 macro my',
      '9 module inner',
      '10 function f',
      '11 function g',
    ]);
  });

  it('of Java', () => {
    expect(
      symbols(
        'A.java',
        'public final class A<T> {',
        '  private int x = compute();',
        '  @Override',
        '  public static List<String> names(int a) throws E {',
        '    call(1);',
        '  }',
        '  A() {',
        '  }',
        '}',
        'record P(int x) {}',
        'interface I {',
        '  void run();',
        '}',
      ),
    ).toEqual(['1 class A', '4 method names', '7 method A', '10 class P', '11 interface I', '12 method run']);
  });

  it.each([
    ['a.ts', '// class A {}'],
    ['a.ts', '/* class A {}\nclass B {} */'],
    ['a.ts', 'x = `\nclass A ${f(`\nclass B`, "}")}\nclass C`;'],
    ['a.ts', "x = 'class A {';"],
    ['a.ts', 'x = /\\/*"class A {/;'],
    ['a.py', '"""\nclass A:\n"""\n# def f():'],
    ['a.go', 'x := `\nfunc A() {}\n`'.replace('x', '\tx')],
    ['a.rs', '/* /* */ struct A; */\nlet x = r#"\nfn a() {}\n"#;'],
    ['a.java', 'String x = """\nclass A {}\n""";'.replace('String', '  String')],
  ])('of %s are never in comments and strings: %j', (path, source) => {
    expect(extractSymbols(path, source)).toEqual([]);
  });

  it('come after a division, a regular expression and an open quote as before them', () => {
    expect(
      symbols('a.ts', 'const a = b / c / d;', 'const r = s.split(/[\'"]/);', "it('x", 'class A {}'),
    ).toEqual(['1 constant a', '2 constant r', '4 class A']);
  });

  it('of other files are none', () => {
    expect(extractSymbols('a.toString', 'class A {}')).toEqual([]);
  });

  it('take no time on odd input', () => {
    for (const odd of [
      '`${'.repeat(50_000),
      '/*'.repeat(50_000),
      '"\\'.repeat(50_000),
      'class '.repeat(50_000),
      `${' '.repeat(200_000)}x`,
      '('.repeat(200_000),
      '=/['.repeat(200_000),
      `${' '.repeat(990)}!\n`.repeat(500),
      `extern${' '.repeat(990)}!\n`.repeat(500),
    ]) {
      for (const path of ['a.ts', 'a.py', 'a.rs', 'A.java', 'a.go'])
        expect(extractSymbols(path, odd).length).toBeLessThan(2);
    }
  });
});

it('blanking keeps every line break', () => {
  const source = 'a /*\r\n*/ b\n`\n${x}\n` c // d\n';
  const blank = blankNonCode(source, LEXES.script);
  expect(blank.split('\n')).toHaveLength(source.split('\n').length);
  expect(blank.replace(/\s+/g, '')).toBe('abc');
});

it('words are whole and in parts, and nothing that looks like a key', () => {
  expect([...termsOf('parseHTTPUrl my_var2 x 12').counts.keys()]).toEqual([
    'parsehttpurl',
    'parse',
    'http',
    'url',
    'my_var2',
    'my',
    'var2',
  ]);
  expect([...termsOf('sk_live_51H8abcdefghijklmnop9 ok').counts.keys()]).toEqual(['ok']);
});
