import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOfRejection } from '../test-context.spec-support.js';
import { killLiveGroups } from './live-groups.js';
import { processTable, startedWith } from './process-table.js';
import { spawnStream, type SpawnOptions } from './spawn-stream.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

describe('spawnStream', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'wstack-spawn-')));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  let tag = '';
  beforeEach(() => {
    tag = `t${Math.random().toString(36).slice(2)}`;
  });

  const run = async (argv: readonly string[], more: Partial<SpawnOptions> = {}) => {
    const text = { stdout: '', stderr: '' };
    const outcome = await spawnStream(argv, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', TEST_TAG: tag },
      signal: new AbortController().signal,
      graceMs: 200,
      onChunk: ({ stream, bytes }) => {
        text[stream] += bytes.toString();
      },
      ...more,
    });
    return { ...outcome, ...text };
  };
  const bash = (command: string, more: Partial<SpawnOptions> = {}) => run(['bash', '-c', command], more);
  const survivors = async (): Promise<number[]> => {
    const found: number[] = [];
    for (const { pid } of processTable() ?? []) {
      if (startedWith(pid, 'TEST_TAG', tag)) found.push(pid);
    }
    return found;
  };

  it('reports the exit code and both streams', async () => {
    expect(await bash('echo out; echo err >&2; exit 3')).toEqual({
      exitCode: 3,
      signal: null,
      timedOut: false,
      aborted: false,
      leftovers: 0,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('reports the signal that ended a command', async () => {
    expect(await bash('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
  });

  it('gives arguments to the program as they are', async () => {
    expect((await run(['printf', '%s|', '$HOME', '; echo x', '*'])).stdout).toBe('$HOME|; echo x|*|');
  });

  it('has stdin at its end and no terminal', async () => {
    const { stdout } = await bash('cat; read x; echo "read $?"; (: </dev/tty) 2>/dev/null; echo "tty $?"');
    expect(stdout).toBe('read 1\ntty 1\n');
  });

  it('wraps the argument vector in the sandbox', async () => {
    const { stdout } = await run(['echo', 'x'], {
      sandbox: (argv, { cwd: folder }) => ['echo', folder, ...argv],
    });
    expect(stdout).toBe(`${cwd} echo x\n`);
  });

  it('gives the child the named environment only, and the name of the folder that it is in', async () => {
    const { stdout } = await run(['env']);
    expect(
      stdout
        .split('\n')
        .map((line) => line.split('=')[0])
        .sort(),
    ).toEqual(['', 'PATH', 'PWD', 'TEST_TAG', 'WSTACK_SPAWN']);
  });

  it.each([
    ['a missing program', ['no-such-program-here'], {}, 'spawn.failed'],
    ['a NUL byte', ['echo', 'a\0b'], {}, 'spawn.failed'],
    ['a program that may not be executed', ['/etc/passwd'], {}, 'spawn.failed'],
    ['a folder as program', ['/etc'], {}, 'spawn.failed'],
    ['too many arguments', ['echo', 'x'.repeat(200_000)], {}, 'spawn.failed'],
    ['no program', [''], {}, 'spawn.empty'],
    ['a deleted working folder', ['echo'], { cwd: '/no/such/folder' }, 'spawn.no_cwd'],
    ['a file as working folder', ['echo'], { cwd: '/etc/passwd' }, 'spawn.no_cwd'],
  ])('refuses %s with a code', async (_what, argv, more, code) => {
    expect(await codeOfRejection(run(argv, more))).toBe(code);
  });

  describe('stops everything', () => {
    it('on timeout, also who ignores TERM', async () => {
      const command = `trap '' TERM; sh -c 'trap "" TERM; sleep 60' & sleep 60`;
      expect(await bash(command, { timeoutMs: 300 })).toMatchObject({
        timedOut: true,
        exitCode: null,
        signal: 'SIGKILL',
      });
      expect(await survivors()).toEqual([]);
    });

    it('on timeout, the members of a pipeline too', async () => {
      expect(await bash('yes | grep q', { timeoutMs: 300 })).toMatchObject({ timedOut: true });
      expect(await survivors()).toEqual([]);
    });

    it('on abort, and lets TERM handlers finish first', async () => {
      const stop = new AbortController();
      const running = bash(`trap 'echo cleaned; exit 7' TERM; echo ready; while :; do sleep 0.05; done`, {
        signal: stop.signal,
        graceMs: 5000,
        onChunk: ({ bytes }) => {
          text += bytes.toString();
          stop.abort();
        },
      });
      let text = '';
      expect(await running).toMatchObject({ aborted: true, exitCode: 7 });
      expect(text).toContain('cleaned');
    });

    it('with one TERM for each process', async () => {
      // The inner shell says when its trap is set: told to end before, it would end without a word.
      const command = `trap 'echo term' TERM; sh -c 'trap "echo term" TERM; echo ready; sleep 0.6; sleep 0.01' & wait; wait; wait`;
      const stop = new AbortController();
      let text = '';
      await bash(command, {
        signal: stop.signal,
        graceMs: 5000,
        onChunk: ({ bytes }) => {
          text += bytes.toString();
          stop.abort();
        },
      });
      expect(text.split('\n').filter((line) => line === 'term')).toHaveLength(2);
    });

    it('on abort, who left group, session and parents', async () => {
      const stop = new AbortController();
      const command = `setsid sh -c 'trap "" TERM HUP; setsid sleep 60 & exec sleep 60' & sleep 0.2; echo ready; wait`;
      const running = bash(command, { signal: stop.signal, onChunk: () => stop.abort() });
      expect(await running).toMatchObject({ aborted: true });
      expect(await survivors()).toEqual([]);
    });

    it('on timeout, who left group, session, parents and environment', async () => {
      // The tag comes back for this test alone: nothing else of the environment does.
      const orphan = `env -i setsid -f sh -c 'TEST_TAG=$0 exec sleep 60' "$TEST_TAG" </dev/null >/dev/null 2>&1`;
      const twice = `env -i setsid -f sh -c 'setsid -f env TEST_TAG=$0 sleep 60' "$TEST_TAG" >/dev/null 2>&1`;
      const outcome = await bash(`${orphan}; ${twice}; exec sleep 60`, { timeoutMs: 500 });
      expect(outcome).toMatchObject({ timedOut: true });
      expect(await survivors()).toEqual([]);
    });

    it('that a command leaves behind when it ends by itself', async () => {
      expect(await bash('sleep 60 & sleep 60 & echo done')).toMatchObject({
        exitCode: 0,
        leftovers: 2,
        stdout: 'done\n',
      });
      expect(await survivors()).toEqual([]);
    });

    it('that is running when the program itself exits', async () => {
      const running = bash('echo ready; sleep 60 & sleep 60', { onChunk: () => killLiveGroups() });
      expect(await running).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
      expect(await survivors()).toEqual([]);
      expect(process.listeners('exit')).toContain(killLiveGroups);
    });

    it('does not start once it is aborted', async () => {
      await expect(bash('echo x', { signal: AbortSignal.abort() })).rejects.toThrow();
    });
  });

  it('leaves a daemon of another session alone when the command ends by itself', async () => {
    const outcome = await bash('setsid sleep 30 >/dev/null 2>&1 & sleep 0.2; echo started');
    expect(outcome.leftovers).toBe(0);
    const daemons = await survivors();
    expect(daemons).toHaveLength(1);
    for (const pid of daemons) process.kill(pid, 'SIGKILL');
  });
});
