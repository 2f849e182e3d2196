import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CANONICAL_CAPABILITIES } from '@wrongstack/core';
import { bin, fixtures, node, root } from './run-program.spec-support.js';

const page = readFileSync(path.join(root, 'docs/authors/tools.md'), 'utf8');
const fences = [...page.matchAll(/^```(\S*)([^\n]*)\n(.*?)^```$/gms)].map(
  ([, language, info = '', text = '']) => ({
    language,
    file: /\bfile=(\S+)/.exec(info)?.[1],
    text,
  }),
);

/** The page for authors says what is so: its examples are files, and they are compiled and run. */
describe('docs/authors/tools.md', () => {
  let folder: string;
  beforeAll(() => {
    const all = path.join(fixtures, '.generated');
    mkdirSync(all, { recursive: true });
    folder = mkdtempSync(path.join(all, 'page-'));
    for (const { file, text } of fences) if (file !== undefined) writeFileSync(path.join(folder, file), text);
    cpSync(path.join(fixtures, 'docs/examples.check.ts'), path.join(folder, 'examples.test.ts'));
    symlinkSync(path.join(root, 'tsconfig.base.json'), path.join(folder, 'tsconfig.base.json'));
    const json = (file: string, content: unknown): void =>
      writeFileSync(path.join(folder, file), JSON.stringify(content));
    json('package.json', { type: 'module' });
    json('tsconfig.json', {
      extends: './tsconfig.base.json',
      compilerOptions: { composite: false, noEmit: true, types: ['node', 'jest'] },
      include: ['*.ts'],
    });
    writeFileSync(
      path.join(folder, 'jest.config.mjs'),
      `import preset from ${JSON.stringify(path.join(root, 'jest.preset.js'))};
       export default { ...preset, testMatch: ['<rootDir>/*.test.ts'] };`,
    );
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('names a file for every example in TypeScript', () => {
    const unnamed = fences.filter(({ language, file }) => language === 'ts' && file === undefined);
    expect(unnamed).toEqual([]);
    expect(fences.filter(({ file }) => file !== undefined).length).toBeGreaterThan(8);
  });

  it('has examples that are formatted and compile', () => {
    const files = fences.flatMap(({ file }) => (file === undefined ? [] : [path.join(folder, file)]));
    const prettier = [
      bin('prettier/bin/prettier.cjs'),
      '--check',
      '--log-level',
      'error',
      '--ignore-path',
      '/dev/null',
    ];
    expect(node([...prettier, ...files])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(node([bin('typescript7/bin/tsc'), '-p', folder])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('has examples that do what it says, each of them run', () => {
    const check = readFileSync(path.join(folder, 'examples.test.ts'), 'utf8');
    const examples = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
    expect(examples.filter((file) => !check.includes(`'./${file.replace(/\.ts$/, '.js')}'`))).toEqual([]);
    const run = node([bin('jest/bin/jest.js'), '-w', '1', '--ci'], folder);
    expect(run).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Tests: +11 passed, 11 total$/m) });
  });

  it('lists every capability that there is', () => {
    for (const capability of CANONICAL_CAPABILITIES) expect(page).toContain(`\`${capability}\``);
  });

  it('names error codes and lint rules that exist', () => {
    const codes = [...page.matchAll(/^\| `([a-z]+\.[a-z_]+)` \|/gm)].map(([, code]) => code);
    const rules = [...page.matchAll(/`wrongstack\/([a-z-]+)`/g)].map(([, rule]) => rule);
    const sources = readSources(path.join(root, 'libs'));
    expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
    const known = readdirSync(path.join(root, 'tools/lint-rules'));
    expect(rules.filter((rule) => !known.includes(`${rule}.mjs`))).toEqual([]);
  });
});

function readSources(libs: string): string {
  return readdirSync(libs)
    .flatMap((lib) =>
      readdirSync(path.join(libs, lib, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
        .map((file) => readFileSync(path.join(libs, lib, 'src', file), 'utf8')),
    )
    .join('\n');
}
