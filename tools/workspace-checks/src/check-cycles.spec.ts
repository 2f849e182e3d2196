import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

function checkCycles(...folders: string[]): { status: number | null; stdout: string; stderr: string } {
  const script = path.join(root, 'tools/check-cycles.mjs');
  return spawnSync(process.execPath, [script, ...folders], { cwd: root, encoding: 'utf8' });
}

describe('check-cycles', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cycles-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, text: string): void => {
    writeFileSync(path.join(folder, name), text);
  };

  it('finds none in this repository', () => {
    expect(checkCycles()).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/in [1-9]\d* files/),
    });
  });

  it('names the files of a circle through .js specifiers', () => {
    write('first.ts', "import { second } from './second.js';\nexport const first = () => second;\n");
    write('second.ts', "import { third } from './third.js';\nexport const second = () => third;\n");
    write('third.ts', "import { first } from './first.js';\nexport const third = () => first;\n");

    const { status, stderr } = checkCycles(folder);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^circular import: .*first\.ts -> .*second\.ts -> .*third\.ts -> .*first\.ts\n$/);
  });

  it('lets types refer to one another', () => {
    write('node.ts', "import type { Tree } from './tree.js';\nexport interface Node { tree: Tree }\n");
    write('tree.ts', "import { Node } from './node.js';\nexport interface Tree { root: Node }\n");

    expect(checkCycles(folder)).toMatchObject({ status: 0, stderr: '' });
  });

  it('fails when there is nothing to check', () => {
    expect(checkCycles(folder)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no source files'),
    });
  });
});
