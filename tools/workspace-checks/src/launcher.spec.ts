import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const dist = path.join(root, 'apps/cli/dist');
const PROGRAM: readonly string[] = ['launcher.cjs', 'bundle.cjs', 'extensions.cjs'];

interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

function node(args: string[], cwd = root): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('the built launcher', () => {
  it.each(['--version', '-V', '--help', '-h'])('answers %s as the program itself does', (flag) => {
    const program = node([path.join(dist, 'bundle.cjs'), flag]);

    expect(program.status).toBe(0);
    expect(program.stdout).not.toBe('');
    expect(node([path.join(dist, 'launcher.cjs'), flag])).toEqual(program);
  });

  it('starts through the bin that npm links', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

    expect(node([path.join(root, 'node_modules/.bin/wstack'), '--version'])).toEqual({
      status: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  it('leaves what it does not know to the program', () => {
    const program = node([path.join(dist, 'bundle.cjs'), '--no-such-option']);

    expect(program.status).not.toBe(0);
    expect(node([path.join(dist, 'launcher.cjs'), '--no-such-option'])).toEqual(program);
  });
});

describe('the bin before a build', () => {
  it('says how to get one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bin-'));
    mkdirSync(path.join(folder, 'bin'));
    copyFileSync(path.join(root, 'apps/cli/bin/wstack.cjs'), path.join(folder, 'bin/wstack.cjs'));

    expect(node([path.join(folder, 'bin/wstack.cjs'), '--version'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'wstack: not built yet. Run "npm run build" first.\n',
    });
    rmSync(folder, { recursive: true });
  });
});

describe('the code cache', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'launcher-'));
    for (const file of PROGRAM) copyFileSync(path.join(dist, file), path.join(folder, file));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (): Run => node([path.join(folder, 'launcher.cjs'), 'no-such-command']);
  const caches = (): string[] => readdirSync(folder).filter((file) => !PROGRAM.includes(file));

  it('appears after the first run, named after this Node and this bundle, and stays', () => {
    const first = run();
    const [name = 'none'] = caches();
    const written = statSync(path.join(folder, name)).mtimeMs;

    expect(name).toMatch(new RegExp(`^bundle\\.[0-9a-f]{12}\\.${process.version}-${process.arch}\\.cache$`));
    expect(run()).toEqual(first);
    expect(caches()).toEqual([name]);
    expect(statSync(path.join(folder, name)).mtimeMs).toBe(written);
  });

  it('is replaced when V8 does not accept it', () => {
    const first = run();
    const [name = 'none'] = caches();
    writeFileSync(path.join(folder, name), 'no compiled code');

    expect(run()).toEqual(first);
    expect(readFileSync(path.join(folder, name)).length).toBeGreaterThan(1000);
  });

  it('is done without where it cannot be written', () => {
    const first = run();
    const [name = 'none'] = caches();
    rmSync(path.join(folder, name));
    // A folder in its place cannot be read or replaced, whoever runs this (root may write into read-only folders).
    mkdirSync(path.join(folder, name, 'occupied'), { recursive: true });

    expect(run()).toEqual(first);
    expect(statSync(path.join(folder, name)).isDirectory()).toBe(true);
  });
});

describe('the second file', () => {
  let install: string;
  let home: string;
  beforeEach(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'second-'));
    install = path.join(folder, 'apps/cli');
    home = path.join(folder, 'home');
    mkdirSync(path.join(install, 'dist'), { recursive: true });
    mkdirSync(home);
    for (const file of PROGRAM) copyFileSync(path.join(dist, file), path.join(install, 'dist', file));
    copyFileSync(path.join(root, 'apps/cli/package.json'), path.join(install, 'package.json'));
  });
  afterEach(() => {
    rmSync(path.resolve(install, '../..'), { recursive: true });
  });

  const wstack = (...args: string[]): Run => {
    const env = { PATH: process.env['PATH'], HOME: home };
    const launcher = path.join(install, 'dist/launcher.cjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
      cwd: home,
      env,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  // A file that was loaded has left its compiled code.
  const loaded = (): string[] =>
    readdirSync(path.join(install, 'dist')).flatMap((file) =>
      file.endsWith('.cache') ? [file.replace(/\..*/, '')] : [],
    );

  it('is not touched where there are no plugins and no servers', () => {
    expect(wstack('tool', 'list')).toMatchObject({ status: 0, stderr: '' });
    expect(loaded()).toEqual(['bundle']);
  });

  it('is loaded where there is a plugin, which gets the classes of the first', () => {
    mkdirSync(path.join(home, '.wrongstack/plugins/one'), { recursive: true });
    writeFileSync(
      path.join(home, '.wrongstack/plugins/one/index.mjs'),
      `import { TOKENS, ToolRegistry } from '@wrongstack/core';
       export default { name: 'one', setup(api) {
         if (!(api.container.resolve(TOKENS.ToolRegistry) instanceof ToolRegistry)) throw new Error('two classes');
       } };`,
    );
    const { status, stdout } = wstack('plugin', 'list', '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, [{ name: 'one', state: 'loaded' }]]);
    expect(loaded()).toEqual(['bundle', 'extensions']);
  });
});

describe('import() inside a bundle', () => {
  it('resolves beside the bundle and never in the folder that somebody works in', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'imports-'));
    const install = path.join(folder, 'install');
    const project = path.join(folder, 'project');
    for (const [place, says] of [
      [install, 'installed'],
      [project, 'from the project'],
    ] as const) {
      mkdirSync(path.join(place, 'node_modules/helper'), { recursive: true });
      writeFileSync(path.join(place, 'node_modules/helper/index.mjs'), `export default '${says}';`);
      writeFileSync(
        path.join(place, 'node_modules/helper/package.json'),
        JSON.stringify({ name: 'helper', exports: './index.mjs' }),
      );
    }
    writeFileSync(
      path.join(install, 'source.cjs'),
      "import('helper').then((it) => console.log(it.default));",
    );
    writeFileSync(
      path.join(install, 'start.cjs'),
      `const { runWithCodeCache } = require(${JSON.stringify(path.join(root, 'tools/code-cache.cjs'))});
       const file = ${JSON.stringify(path.join(install, 'bundle.cjs'))};
       const importModule = (name) => import(name);
       runWithCodeCache({ file, cacheOf: () => file + '.cache', parent: module, importModule, write: 'when-missing' });`,
    );
    const routed = node([
      '--input-type=module',
      '--eval',
      `import { readFileSync, writeFileSync } from 'node:fs';
       import { routeImports } from ${JSON.stringify(path.join(root, 'tools/route-imports.mjs'))};
       process.chdir(${JSON.stringify(install)});
       writeFileSync('bundle.cjs', routeImports(readFileSync('source.cjs', 'utf8')));`,
    ]);
    expect(routed.stderr).toBe('');

    const first = node([path.join(install, 'start.cjs')], project);
    const cached = node([path.join(install, 'start.cjs')], project);

    expect(first).toEqual({ status: 0, stdout: 'installed\n', stderr: '' });
    expect(cached).toEqual(first);
    expect(node([path.join(install, 'bundle.cjs')], project)).toEqual(first);
    rmSync(folder, { recursive: true });
  });
});
