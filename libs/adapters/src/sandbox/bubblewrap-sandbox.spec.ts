import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxProfile } from '@wrongstack/contracts';
import { bubblewrapArguments } from './bubblewrap-arguments.js';
import { BubblewrapSandbox } from './bubblewrap-sandbox.js';

const layout = { workspace: '/w', cwd: '/w', hidden: [], resolver: false };

describe('the arguments of bubblewrap', () => {
  const pairs = (profiles: readonly SandboxProfile[]) =>
    bubblewrapArguments({ ...layout, profiles }).join(' ');

  it('take the strictest of all profiles', () => {
    expect(pairs(['workspace-write'])).toContain('--ro-bind / / ');
    expect(pairs(['workspace-write'])).toContain('--bind /w /w');
    expect(pairs(['workspace-write', 'read-only'])).toContain('--ro-bind /w /w');
    expect(pairs(['workspace-write', 'read-only'])).not.toMatch(/(?<!ro)-bind \/w/);
    expect(pairs(['workspace-write'])).not.toContain('--unshare-net');
    expect(pairs(['workspace-write', 'no-network'])).toContain('--unshare-net');
    expect(pairs(['no-network'])).toContain('--bind / /');
  });

  it('end before the command, so that it cannot add any', () => {
    expect(bubblewrapArguments({ ...layout, profiles: ['read-only'] }).at(-1)).toBe('--');
  });

  it.each([
    [{ workspace: 'relative' }, 'sandbox.bad_path'],
    [{ cwd: 'a\0b' }, 'sandbox.bad_path'],
    [{ workspace: '/' }, 'sandbox.bad_workspace'],
  ])('refuse %j', (change, code) => {
    expect(() => bubblewrapArguments({ ...layout, profiles: ['workspace-write'], ...change })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('a sandbox that cannot be had', () => {
  it('says why', async () => {
    expect(await new BubblewrapSandbox({ platform: 'darwin' }).unavailable()).toMatch(/needs Linux/);
    const missing = new BubblewrapSandbox({ program: '/nowhere/bwrap', platform: 'linux' });
    expect(await missing.unavailable()).toBe('no sandbox: bubblewrap is not installed');
    expect(() => missing.wrapper(['read-only'], '/w')).toThrow(
      expect.objectContaining({ code: 'sandbox.unavailable' }),
    );
  });

  it('repeats what the program said when it failed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bwrap-'));
    const program = join(folder, 'bwrap');
    await writeFile(program, '#!/bin/sh\necho "setting up uid map:\nPermission denied" >&2\nexit 1\n', {
      mode: 0o755,
    });
    expect(await new BubblewrapSandbox({ program, platform: 'linux' }).unavailable()).toBe(
      'no sandbox: bubblewrap does not run here (setting up uid map: Permission denied)',
    );
    await rm(folder, { recursive: true });
  });
});

describe('a confined child', () => {
  let usable = false;
  let folder: string;
  let workspace: string;
  let outside: string;
  let secrets: string;
  beforeAll(async () => {
    usable = (await new BubblewrapSandbox().unavailable()) === null;
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sandbox-')));
    workspace = join(folder, 'workspace');
    outside = join(folder, 'outside');
    secrets = join(folder, 'secrets');
    for (const path of [workspace, outside, secrets]) await mkdir(path);
    await writeFile(join(secrets, 'key'), 'hidden');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs a script under the profiles; on a machine without namespaces the honest refusal is all there is to see. */
  const confined = async (
    profiles: readonly SandboxProfile[],
    script: string,
    check: (result: { ok: boolean; output: string }) => unknown,
  ) => {
    const sandbox = new BubblewrapSandbox({ hidden: [secrets, join(folder, 'missing')] });
    if (!usable) return expect(await sandbox.unavailable()).toMatch(/^no sandbox: /);
    const [program = '', ...args] = sandbox.wrapper(profiles, workspace)(['/bin/sh', '-c', script], {
      cwd: workspace,
    });
    const result = await new Promise<{ ok: boolean; output: string }>((resolve) => {
      execFile(program, args, (error, stdout, stderr) =>
        resolve({ ok: error === null, output: stdout + stderr }),
      );
    });
    await check(result);
  };

  it('reads and writes its workspace, and nothing else', () =>
    confined(
      ['workspace-write'],
      `echo in > a.txt && cat a.txt; echo out > ${outside}/b.txt; echo x > /usr/local/c.txt; pwd`,
      async ({ output }) => {
        expect(output).toMatch(/^in\n/);
        expect(output).toContain(workspace);
        expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('in\n');
        expect(await readdir(outside)).toEqual([]);
        expect(await readdir('/usr/local')).not.toContain('c.txt');
      },
    ));

  it('writes nothing at all under read-only', () =>
    confined(['read-only', 'workspace-write'], 'echo in > a.txt', async ({ ok, output }) => {
      expect(ok).toBe(false);
      expect(output).toMatch(/Read-only file system/);
      expect(await readdir(workspace)).toEqual([]);
    }));

  it('has a temporary folder of its own', () =>
    confined(['workspace-write'], 'echo t > /tmp/only-inside && ls /tmp', async ({ ok }) => {
      expect(ok).toBe(true);
      expect(await readdir('/tmp')).not.toContain('only-inside');
    }));

  it('does not see what is hidden', () =>
    confined(['no-network'], `ls -A ${secrets}; cat ${secrets}/key`, ({ ok, output }) => {
      expect(ok).toBe(false);
      expect(output).not.toContain('hidden');
    }));

  it('reaches no server without a network', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `${process.execPath} -e "fetch('http://127.0.0.1:${port}').then(() => console.log('reached'), () => console.log('not reached'))"`;
    await confined(['workspace-write'], script, ({ output }) => expect(output).toBe('reached\n'));
    const before = asked;
    await confined(['workspace-write', 'no-network'], script, ({ output }) =>
      expect(output).toBe('not reached\n'),
    );
    expect(asked).toBe(before);
    await new Promise((resolve) => server.close(resolve));
  });

  it('sees and signals no process outside', () =>
    confined(
      ['workspace-write'],
      `kill -0 ${process.pid} 2>&1; echo $?; ls /proc | grep -c '^[0-9]'`,
      ({ output }) => {
        expect(output).toContain('No such process');
        expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(8);
      },
    ));

  it('keeps its arguments as they are', () =>
    confined(['read-only'], `printf '%s' '--bind / / ; $(x) "q"'`, ({ output }) =>
      expect(output).toBe('--bind / / ; $(x) "q"'),
    ));
});
