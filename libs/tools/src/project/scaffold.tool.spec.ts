import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { projectTools } from './project-tools.js';

const tools = projectTools({ environment: { PATH: process.env['PATH'], HOME: process.env['HOME'] } });

function named(name: string): Tool<object, RichToolOutput> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

describe('scaffold', () => {
  let project: TestProject;
  const run = (name: string, input: object) => named(name).execute(input, project.ctx, toolOptions());
  afterEach(() => project.dispose());

  it.each(['node-lib', 'ts-lib', 'python', 'go', 'rust'])(
    'writes %s, exactly the files that it claims',
    async (template) => {
      project = await createTestProject();
      const input = { template, path: 'made/my-lib' };
      const claims = named('scaffold').describeCall?.(input, {
        cwd: project.root,
        projectRoot: project.root,
      });
      const output = await run('scaffold', input);
      const claimed = claims?.paths?.map(({ path }) => path) ?? [];
      expect(claimed.length).toBeGreaterThan(2);
      expect(
        textOf(output)
          .split('\n')
          .map((line) => line.split(' ')[1]),
      ).toEqual(claimed);
      expect(claimed.every((path) => existsSync(project.at(path)))).toBe(true);
      expect(named('scaffold').presentCall?.(input)).toMatchObject({
        card: 'diff',
        title: `${template} in made/my-lib`,
      });
    },
  );

  it('makes a project whose tests pass', async () => {
    project = await createTestProject();
    await run('scaffold', { template: 'node-lib', path: 'lib' });
    expect((await run('test', { cwd: 'lib' })).meta).toMatchObject({ counts: { passed: 1, failed: 0 } });
  });

  it('overwrites nothing, and then writes nothing', async () => {
    project = await createTestProject({ 'lib/README.md': 'mine' });
    expect(await codeOfRejection(run('scaffold', { template: 'python', path: 'lib' }))).toBe(
      'scaffold.exists',
    );
    expect(await readdir(project.at('lib'))).toEqual(['README.md']);
  });

  it('refuses other templates and names', async () => {
    project = await createTestProject();
    await mkdir(project.at('Odd Name'));
    const inputs = [
      {},
      { template: 'x', path: 'a' },
      { template: 'go', path: 'Odd Name' },
      { template: 'go', path: 'a', name: '"]\nx' },
    ];
    for (const input of inputs) expect(await codeOfRejection(run('scaffold', input))).toBe('tool.bad_input');
  });
});
