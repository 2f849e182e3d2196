import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProgram, runProgram } from '../memory/child-program.spec-support.js';
import { processTable, startedWith } from './process-table.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

describe('the programs of a process that was killed with SIGKILL', () => {
  let folder: string;
  let tag: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wstack-guard-'));
    tag = `t${Math.random().toString(36).slice(2)}`;
  });
  afterEach(() => {
    for (const pid of survivors()) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const survivors = (): number[] =>
    (processTable() ?? []).flatMap(({ pid }) => (startedWith(pid, 'TEST_TAG', tag) ? [pid] : []));

  async function gone(): Promise<number[]> {
    for (let turn = 0; turn < 100 && survivors().length > 0; turn += 1) await sleep(50);
    return survivors();
  }

  /** A process that runs these commands, each through `spawnStream`; resolves when each has printed something. */
  async function owner(...commands: readonly string[]) {
    const program = buildProgram(
      `import { spawnStream } from '../process/spawn-stream.js';
       const [tag = '', ...commands] = process.argv.slice(2);
       const env = { PATH: '/usr/bin:/bin', TEST_TAG: tag };
       const signal = new AbortController().signal;
       for (const command of commands) {
         const onChunk = () => console.log('up');
         void spawnStream(['bash', '-c', command], { cwd: '/', env, signal, onChunk });
       }`,
      folder,
    );
    const { child, ended } = runProgram(program, [tag, ...commands]);
    let ups = 0;
    await new Promise<void>((resolve) =>
      child.stdout?.on('data', (chunk: Buffer) => {
        ups += chunk.toString().split('up').length - 1;
        if (ups === commands.length) resolve();
      }),
    );
    return { child, ended };
  }

  it.each([
    ['what it started', 'sleep 60 & echo up; sleep 60', 2],
    ['who ignores TERM', `trap '' TERM HUP; echo up; while :; do sleep 1; done`, 1],
    [
      'who left group, session and parents',
      `setsid sh -c 'setsid sleep 60 & exec sleep 60' & sleep 0.2; echo up; wait`,
      2,
    ],
    [
      'who also cleared its environment',
      `env -i setsid -f sh -c 'TEST_TAG=$0 setsid sleep 60 & TEST_TAG=$0 exec sleep 60' "$TEST_TAG"; sleep 0.2; echo up; wait; exec sleep 60`,
      3,
    ],
  ])('end with it: %s', async (_what, command, atLeast) => {
    const { child, ended } = await owner(command);
    expect(survivors().length).toBeGreaterThanOrEqual(atLeast);
    child.kill('SIGKILL');
    await ended;
    expect(await gone()).toEqual([]);
  });

  it('end with it: those of every call that still ran', async () => {
    const { child, ended } = await owner('echo up', 'echo up; exec sleep 60', 'echo up; exec sleep 61');
    expect(survivors().length).toBeGreaterThanOrEqual(2);
    child.kill('SIGKILL');
    await ended;
    expect(await gone()).toEqual([]);
  });

  it('and nothing keeps a process alive whose programs have ended', async () => {
    const { child, ended } = await owner('echo up');
    await ended;
    expect(child.exitCode).toBe(0);
  });
});
