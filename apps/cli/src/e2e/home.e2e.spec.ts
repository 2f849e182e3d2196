import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { ended, type Ended, Sandbox } from './cli-process.spec-support.js';

// A process that hangs is killed after 20 s; the test then says what it did.
jest.setTimeout(30_000);

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.create({ 'a.txt': 'hello\n' });
});

afterEach(() => sandbox.remove());

/** A process that never ends must fail the test, not the suite. */
async function within(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = sandbox.start(args, { env });
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  try {
    return await ended(child);
  } finally {
    clearTimeout(timer);
  }
}

function expectRefusal({ code, stdout, stderr }: Ended, folder: string): void {
  expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
    code: 1,
    stdout: '',
    lines: 1,
  });
  expect(stderr).toContain(folder);
  expect(stderr).toContain('set HOME or WRONGSTACK_HOME to a folder that you can write to');
}

const COMMANDS = ['tool list', 'run hi', 'session list', 'config get', 'config set provider.model m'];

describe('a home that is none', () => {
  it.each(COMMANDS)('a file: wstack %s', async (line) => {
    const file = await sandbox.write('~/file', '');
    expectRefusal(await within(line.split(' '), { HOME: file }), `${file}/.wrongstack`);
  });

  it.each(COMMANDS)('a link that leads nowhere: wstack %s', async (line) => {
    await symlink(path.join(sandbox.root, 'nowhere'), path.join(sandbox.home, '.wrongstack'));
    expectRefusal(await within(line.split(' '), {}), path.join(sandbox.home, '.wrongstack'));
  });

  // Making a folder there, and all that is missing above it, would go on for ever.
  (process.platform === 'linux' ? it : it.skip).each(COMMANDS)('/proc: wstack %s', async (line) => {
    expectRefusal(await within(line.split(' '), { HOME: '/proc' }), '/proc/.wrongstack');
  });

  it('is named in the JSON result too', async () => {
    const { code, stdout } = await within(['run', 'hi', '--output', 'json'], { WRONGSTACK_HOME: 'here' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'result',
      status: 'failed',
      error: { code: 'environment.relative_home', hint: expect.stringContaining('absolute') },
    });
  });

  it('does not hinder the demonstration, which brings its own', async () => {
    expect(await within(['demo'], { HOME: '/dev/null' })).toMatchObject({ code: 0 });
  });
});

describe('a home with an odd name', () => {
  it('is a home like any other', async () => {
    const home = path.join(sandbox.root, 'new\nline');
    await mkdir(home);
    const set = await within(['config', 'set', 'provider.model', 'm'], { HOME: home });
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.stdout.trim().split('\n')).toHaveLength(1);
    await expect(readFile(path.join(home, '.wrongstack/config.json'), 'utf8')).resolves.toContain('"m"');
  });

  it('may not exist yet', async () => {
    const home = path.join(sandbox.root, 'a/b/c');
    expect(await within(['tool', 'call', 'read', '{"path":"a.txt"}'], { HOME: home })).toMatchObject({
      code: 0,
    });
  });
});
