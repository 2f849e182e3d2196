import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { createTestProject, textOf, toolOptions, type TestProject } from '../test-context.spec-support.js';
import {
  startPackageRegistry,
  type PackageRegistry,
  type RegistryContents,
} from './package-registry.spec-support.js';
import { projectTools } from './project-tools.js';

const CONTENTS: RegistryContents = {
  packages: [
    { name: 'left-part', version: '1.0.0' },
    { name: 'left-part', version: '1.2.0' },
    { name: '@pay/right-part', version: '2.0.1' },
    {
      name: 'eager',
      version: '1.0.0',
      scripts: { postinstall: "node -e \"fs.writeFileSync('CANARY', '')\"" },
    },
  ],
  advisories: [
    { name: 'left-part', severity: 'high', title: 'pads the wrong side', vulnerable: '<1.1.0' },
    { name: 'right-part', severity: 'low', title: 'not installed', vulnerable: '*' },
  ],
};

describe('npm itself, against a registry', () => {
  let project: TestProject;
  let registry: PackageRegistry;

  beforeAll(async () => {
    registry = await startPackageRegistry(CONTENTS);
  });
  afterAll(() => registry.close());
  afterEach(() => project.dispose());

  async function createProject(manifest: object = {}, origin = registry.origin): Promise<void> {
    project = await createTestProject({
      'package.json': JSON.stringify({ name: 'till', version: '1.0.0', ...manifest }),
      '.npmrc': `registry=${origin}/\nfetch-retries=0\nupdate-notifier=false\n`,
    });
  }

  function named(name: string): Tool<object, RichToolOutput> {
    // A home of its own: neither the cache nor the settings of whoever runs this.
    const environment = { PATH: process.env['PATH'], HOME: project.outside };
    const tool = projectTools({ environment }).find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool;
  }
  const run = (name: string, input: object = {}): Promise<RichToolOutput> =>
    named(name).execute(input, project.ctx, toolOptions());
  const installed = (path: string): Promise<string> => readFile(project.at(`node_modules/${path}`), 'utf8');

  it('installs packages, and says so', async () => {
    await createProject();
    const output = await run('install', { packages: ['left-part@^1.0.0', '@pay/right-part'] });
    expect(textOf(output)).toMatch(
      /^npm install --ignore-scripts -- left-part@\^1\.0\.0 @pay\/right-part: installed\n\n+added 2 packages/,
    );
    expect(await installed('left-part/index.js')).toContain('1.2.0');
    expect(await installed('@pay/right-part/index.js')).toContain('2.0.1');
    expect(JSON.parse(await readFile(project.at('package.json'), 'utf8'))).toMatchObject({
      dependencies: { 'left-part': '^1.2.0', '@pay/right-part': '^2.0.1' },
    });
    expect(registry.asked()).toContain('GET /@pay/right-part/-/right-part-2.0.1.tgz');
  }, 120_000);

  it('installs what the project asks for, and keeps the scripts of packages off', async () => {
    await createProject({ dependencies: { eager: '1.0.0' } });
    expect(textOf(await run('install'))).toContain('npm install --ignore-scripts: installed');
    expect(existsSync(project.at('node_modules/eager/CANARY'))).toBe(false);
  }, 120_000);

  it('tells what is outdated', async () => {
    await createProject({ dependencies: { 'left-part': '1.0.0', '@pay/right-part': '^2.0.0' } });
    await run('install');
    const output = await run('outdated');
    expect(textOf(output)).toBe('npm outdated --json: 1 outdated\nleft-part 1.0.0 → 1.2.0\n[exit code: 1]');
    expect(output.meta).toMatchObject({ runner: 'npm', counts: { outdated: 1 } });
  }, 120_000);

  it('tells what has a known vulnerability, and after the update that nothing has', async () => {
    await createProject({ dependencies: { 'left-part': '1.0.0' } });
    await run('install');
    const output = await run('audit');
    expect(textOf(output)).toBe(
      'npm audit --json: 1 high\nhigh left-part 1.0.0, fix available: pads the wrong side\n[exit code: 1]',
    );
    expect(output.meta).toMatchObject({ counts: { high: 1 } });
    await run('install', { packages: ['left-part@1.2.0'] });
    expect(textOf(await run('audit'))).toBe('npm audit --json: no known vulnerabilities');
  }, 120_000);

  it('says what failed where a package does not exist, and leaves the project as it was', async () => {
    await createProject();
    const output = await run('install', { packages: ['no-such-part'] });
    expect(textOf(output)).toMatch(/: failed\n[^]*404[^]*no-such-part[^]*\[exit code: 1\]$/);
    expect(JSON.parse(await readFile(project.at('package.json'), 'utf8'))).toEqual({
      name: 'till',
      version: '1.0.0',
    });
  }, 120_000);

  it.each(['outdated', 'audit'])(
    '%s never takes a registry that does not answer for a clean bill',
    async (name) => {
      await createProject({ dependencies: { 'left-part': '1.0.0' } });
      await run('install');
      const gone = await startPackageRegistry({ packages: [] });
      await gone.close();
      await project.write('.npmrc', `registry=${gone.origin}/\nfetch-retries=0\n`);
      const output = await run(name);
      expect(textOf(output)).toMatch(/: failed\n[^]*ECONNREFUSED[^]*\[exit code: 1\]$/);
    },
    120_000,
  );
});
