import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../app/host.js';
import {
  ASKED_UNDER_YOLO,
  COVERED,
  NEVER,
  NOT_COVERED,
  QUIET_UNDER_YOLO,
} from './hazard-commands.spec-support.js';
import { allowCommand, HazardHost, isRunning, textOf } from './hazard-host.spec-support.js';

let at: HazardHost;

beforeAll(async () => {
  at = await HazardHost.create();
  await mkdir(path.join(at.project, '.wrongstack'));
  await mkdir(path.join(at.project, 'skeleton/.wrongstack'), { recursive: true });
  await writeFile(path.join(at.project, 'skeleton/.envrc'), '');
  await mkdir(path.join(at.project, 'docs/a/objects'), { recursive: true });
  await mkdir(path.join(at.project, 'docs/a/refs'));
  await writeFile(path.join(at.project, 'docs/a/HEAD'), 'ref: refs/heads/x\n');
  await writeFile(
    path.join(at.project, 'docs/a/config'),
    `[core]\n\tfsmonitor=touch ${at.outside}/CANARY; false\n\tbare=false\n\tworktree=.\n`,
  );
  await writeFile(path.join(at.project, 'c.sh'), `#!/bin/sh\ntouch ${at.outside}/CANARY\ncat\n`, {
    mode: 0o755,
  });
});

afterAll(() => at.remove());

beforeEach(() => {
  at.person.asked.length = 0;
  at.person.answer = { kind: 'no' };
});

/** Runs nothing, asks once, and leaves the disk as it was. */
async function expectAskedAndNothingDone(host: Host, command: string): Promise<void> {
  const before = at.snapshot();
  const { status, decision } = await at.call(host, 'bash', { command });
  expect({ command, status, demanded: decision?.demanded }).toEqual({
    command,
    status: 'denied',
    demanded: 'confirm',
  });
  expect(at.person.asked).toHaveLength(1);
  expect(at.snapshot()).toEqual(before);
}

describe.each(NOT_COVERED)('%s is not covered by what allows the rest', (_what, rules, commands) => {
  let host: Host;
  beforeAll(async () => {
    host = await at.boot({ rules });
  });
  it.each(commands)('%j', (command) => expectAskedAndNothingDone(host, command));
});

describe.each(ASKED_UNDER_YOLO)('under YOLO, %s', (_what, commands) => {
  let host: Host;
  beforeAll(async () => {
    host = await at.boot({ yolo: true });
  });
  it.each(commands)('%j is asked about', (command) => expectAskedAndNothingDone(host, command));
});

describe('the files that decide about calls', () => {
  it.each(NEVER)('under YOLO: %j', async (command) => {
    const before = at.snapshot();
    const { status, decision } = await at.call(await at.boot({ yolo: true }), 'bash', { command });
    expect([status, decision?.verdict, at.person.asked.length]).toEqual(['denied', 'deny', 0]);
    expect(at.snapshot()).toEqual(before);
  });

  it.each([
    '.wrongstack/config.json',
    '.WRONGSTACK/policy.yaml',
    '{{HOME}}/.wrongstack/trust.json',
    'src/../.wrongstack/plugins/x.js',
  ])('by the write tool, with every allow: %s', async (file) => {
    const host = await at.boot({ yolo: true, rules: [{ effect: 'allow', when: {} }] });
    const { decision } = await at.call(host, 'write', { path: file, content: '{"yolo":true}' });
    expect(decision?.verdict).toBe('deny');
  });
});

describe('no needless question', () => {
  it.each(QUIET_UNDER_YOLO)('under YOLO: %j', async (command) => {
    const { decision } = await at.call(await at.boot({ yolo: true }), 'bash', { command });
    expect([decision?.verdict, at.person.asked.length]).toEqual(['allow', 0]);
  });

  it.each(COVERED)('where it is allowed: %j', async (command, rule) => {
    const { status, decision } = await at.call(await at.boot({ rules: [rule] }), 'bash', { command });
    expect([status, decision?.verdict, at.person.asked.length]).toEqual(['ok', 'allow', 0]);
  });
});

describe('a covered git in a folder that brings its own configuration', () => {
  it.each(['cd docs/a && git status', 'git -C docs/a status', 'cd docs/a && git log'])(
    'runs none of its programs: %s',
    async (command) => {
      const host = await at.boot({ rules: [allowCommand('git'), allowCommand('cd')] });
      const outcome = await at.call(host, 'bash', { command });
      expect(outcome.decision?.verdict).toBe('allow');
      expect(textOf(outcome)).toContain("safe.bareRepository is 'explicit'");
      expect(existsSync(path.join(at.outside, 'CANARY'))).toBe(false);
    },
  );
});

describe('a program that does not end', () => {
  const allows = ['trap', 'sh', 'sleep', 'find', 'grep', 'wait', 'cat', 'read', 'echo', 'setsid', 'nohup'];
  const run = async (command: string, timeoutMs: number) => {
    const host = await at.boot({ yolo: true, rules: allows.map((name) => allowCommand(name)) });
    at.person.answer = { kind: 'once' };
    return at.call(host, 'bash', { command, timeoutMs });
  };

  it.each([
    [`trap '' TERM; sh -c 'trap "" TERM; sleep 61.71' & sleep 61.71`, '61.71'],
    ['sleep 61.72 | grep q', '61.72'],
    ['setsid sleep 61.73 & sleep 61.73', '61.73'],
    ['(sleep 61.74 &) ; nohup sleep 61.74 > /dev/null', '61.74'],
  ])('is stopped with everything that it started: %s', async (command, word) => {
    const outcome = await run(command, 300);
    expect(textOf(outcome)).toMatch(/timed out/i);
    expect(isRunning(word)).toBe(false);
  });

  it('and neither does anything live on after an abort', async () => {
    const host = await at.boot({ yolo: true });
    const controller = new AbortController();
    const call = at.call(host, 'bash', { command: 'sleep 61.75 | cat' }, controller.signal);
    while (!isRunning('61.75')) await new Promise((done) => setTimeout(done, 10));
    controller.abort();
    expect((await call).status).toBe('aborted');
    expect(isRunning('61.75')).toBe(false);
  });

  it('finds its input at the end and nobody to ask', async () => {
    const outcome = await run('cat; read x; echo done', 5_000);
    expect([outcome.status, textOf(outcome)]).toEqual(['ok', expect.stringContaining('done')]);
  });
});
