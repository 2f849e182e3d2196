import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Sandbox } from './cli-process.spec-support.js';

jest.setTimeout(60_000);

describe('background tasks of the command line', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await Sandbox.create({ 'package.json': '{}' });
  });
  afterEach(() => sandbox.remove());

  const background = (command: string): string[] => [
    'tool',
    'call',
    'bash',
    JSON.stringify({ command, run_in_background: true }),
    '--yolo',
  ];

  it('prints the id first, then the output, and stays until the task has ended', async () => {
    const { code, stdout, stderr } = await sandbox.run(background('echo one; sleep 0.2; echo two'));
    expect([code, stderr]).toEqual([0, '']);
    const [id, ...output] = stdout.trimEnd().split('\n');
    expect(id).toMatch(/^t-[0-9a-z]{24}$/);
    expect(output).toEqual(['one', 'two']);

    const listed = await sandbox.run(['task', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id, state: 'completed', tool: 'bash', exit: { exitCode: 0 }, outputBytes: 8 },
    ]);
    const shown = await sandbox.run(['task', 'show', id!.slice(0, 8)]);
    expect(shown.stdout).toMatch(/^state +completed$/m);
    expect((await sandbox.run(['task', 'output', id!, '--cursor', '4'])).stdout).toBe('two\n');
  });

  it('fails as its command does', async () => {
    const { code, stdout, stderr } = await sandbox.run(background('echo no; exit 7'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^t-\w+\nno\n$/);
    expect(stderr).toMatch(/^task t-\w+ is failed: exit 7\n$/);
  });

  it('is watched and killed from another terminal, with everything that it started', async () => {
    const owner = sandbox.start(background('echo begun; sleep 30117 & sleep 30117'));
    const exit = once(owner, 'exit') as Promise<[number]>;
    const lines = createInterface({ input: owner.stdout! })[Symbol.asyncIterator]();
    const id = (await lines.next()).value as string;
    await lines.next();
    expect((await sandbox.run(['task', 'list'])).stdout).toContain('running');

    const killed = await sandbox.run(['task', 'kill', id]);
    expect(killed).toMatchObject({ code: 0, stdout: `task ${id} is killed\n` });
    expect((await exit)[0]).toBe(1);
    expect(spawnSync('pgrep', ['-f', 'sleep 30117']).status).toBe(1);
    expect(await sandbox.run(['task', 'kill', id])).toMatchObject({
      code: 0,
      stdout: `task ${id} had ended already: killed\n`,
    });
  });

  it('shows a task whose process was killed as lost', async () => {
    const owner = sandbox.start(background('echo begun; sleep 300'));
    const lines = createInterface({ input: owner.stdout! })[Symbol.asyncIterator]();
    const id = (await lines.next()).value as string;
    await lines.next();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const { stdout } = await sandbox.run(['task', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ id, state: 'lost' }]);
    expect((await sandbox.run(['task', 'output', id, '--follow'])).stdout).toBe('begun\n');
  });

  it.each([
    [['task', 'show', 't-000000000000000000000000'], 2, /there is no task/],
    [['task', 'output', '../../etc/passwd'], 2, /there is no task/],
    [['task', 'kill', 't-'], 2, /there is no task/],
    [['task', 'output', 't-0', '--cursor', '-1'], 2, /is no byte/],
  ])('%j is answered in one line', async (args, code, message) => {
    const ended = await sandbox.run(args);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });
});
