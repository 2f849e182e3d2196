export interface TemplateFile {
  /** Relative to the new folder. */
  readonly path: string;
  readonly content: string;
}

/** A new project in few files: it builds or runs, and has one test that passes. Pure. */
export type Template = (name: string) => readonly TemplateFile[];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const readme = (name: string, ...commands: readonly string[]): TemplateFile => ({
  path: 'README.md',
  content: `# ${name}\n\n${commands.map((command) => `- \`${command}\`\n`).join('')}`,
});
/** A name as an identifier of Python and Rust. */
const identifier = (name: string): string => name.replace(/-/g, '_');

const nodeLib: Template = (name) => [
  {
    path: 'package.json',
    content: json({
      name,
      version: '0.1.0',
      type: 'module',
      exports: './src/index.js',
      scripts: { test: 'node --test' },
    }),
  },
  {
    path: 'src/index.js',
    content:
      '/** Says hello to somebody. */\nexport function greet(name) {\n  return `Hello, ${name}!`;\n}\n',
  },
  {
    path: 'test/index.test.js',
    content:
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { greet } from '../src/index.js';\n\n" +
      "test('greets by name', () => {\n  assert.equal(greet('Ada'), 'Hello, Ada!');\n});\n",
  },
  { path: '.gitignore', content: 'node_modules/\n' },
  readme(name, 'npm test'),
];

const tsLib: Template = (name) => [
  {
    path: 'package.json',
    content: json({
      name,
      version: '0.1.0',
      type: 'module',
      exports: { types: './dist/index.d.ts', default: './dist/index.js' },
      files: ['dist'],
      scripts: { build: 'tsc', typecheck: 'tsc --noEmit', test: 'tsc && node --test dist' },
      devDependencies: { '@types/node': '^20.0.0', typescript: '^5.0.0' },
    }),
  },
  {
    path: 'tsconfig.json',
    content: json({
      compilerOptions: {
        target: 'ES2022',
        module: 'nodenext',
        strict: true,
        declaration: true,
        rootDir: 'src',
        outDir: 'dist',
        types: ['node'],
      },
      include: ['src'],
    }),
  },
  {
    path: 'src/index.ts',
    content:
      '/** Says hello to somebody. */\nexport function greet(name: string): string {\n  return `Hello, ${name}!`;\n}\n',
  },
  {
    path: 'src/index.test.ts',
    content:
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { greet } from './index.js';\n\n" +
      "test('greets by name', () => {\n  assert.equal(greet('Ada'), 'Hello, Ada!');\n});\n",
  },
  { path: '.gitignore', content: 'node_modules/\ndist/\n' },
  readme(name, 'npm install', 'npm test'),
];

const python: Template = (name) => [
  {
    path: 'pyproject.toml',
    content:
      `[project]\nname = "${name}"\nversion = "0.1.0"\nrequires-python = ">=3.9"\n\n` +
      '[build-system]\nrequires = ["setuptools>=64"]\nbuild-backend = "setuptools.build_meta"\n\n' +
      '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
  },
  {
    path: `src/${identifier(name)}/__init__.py`,
    content: 'def greet(name: str) -> str:\n    """Say hello to somebody."""\n    return f"Hello, {name}!"\n',
  },
  {
    path: 'tests/test_greet.py',
    content: `from ${identifier(name)} import greet\n\n\ndef test_greets_by_name() -> None:\n    assert greet("Ada") == "Hello, Ada!"\n`,
  },
  { path: '.gitignore', content: '__pycache__/\n.venv/\n*.egg-info/\n' },
  readme(name, 'pytest'),
];

const go: Template = (name) => [
  { path: 'go.mod', content: `module ${name}\n\ngo 1.21\n` },
  {
    path: 'greet.go',
    content: `package ${name.replace(/-/g, '')}\n\n// Greet says hello to somebody.\nfunc Greet(name string) string {\n\treturn "Hello, " + name + "!"\n}\n`,
  },
  {
    path: 'greet_test.go',
    content: `package ${name.replace(/-/g, '')}\n\nimport "testing"\n\nfunc TestGreet(t *testing.T) {\n\tif got := Greet("Ada"); got != "Hello, Ada!" {\n\t\tt.Fatalf("got %q", got)\n\t}\n}\n`,
  },
  readme(name, 'go test ./...'),
];

const rust: Template = (name) => [
  { path: 'Cargo.toml', content: `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n` },
  {
    path: 'src/lib.rs',
    content:
      '/// Says hello to somebody.\npub fn greet(name: &str) -> String {\n    format!("Hello, {name}!")\n}\n\n' +
      '#[cfg(test)]\nmod tests {\n    use super::greet;\n\n    #[test]\n    fn greets_by_name() {\n        assert_eq!(greet("Ada"), "Hello, Ada!");\n    }\n}\n',
  },
  { path: '.gitignore', content: 'target/\n' },
  readme(name, 'cargo test'),
];

export const TEMPLATES: ReadonlyMap<string, Template> = new Map([
  ['node-lib', nodeLib],
  ['ts-lib', tsLib],
  ['python', python],
  ['go', go],
  ['rust', rust],
]);
