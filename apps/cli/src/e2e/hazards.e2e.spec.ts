import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../app/host.js';
import { ASKED_UNDER_YOLO, COVERED, NOT_COVERED, QUIET_UNDER_YOLO } from './hazard-commands.spec-support.js';
import { allowCommand, HazardHost, isRunning, textOf } from './hazard-host.spec-support.js';

let at: HazardHost;

beforeAll(async () => {
  at = await HazardHost.create();
  await mkdir(path.join(at.project, '.wrongstack'));
  await mkdir(path.join(at.project, 'docs/a/objects'), { recursive: true });
  await mkdir(path.join(at.project, 'docs/a/refs'));
  await writeFile(path.join(at.project, 'docs/a/HEAD'), 'ref: refs/heads/x\n');
  await writeFile(
    path.join(at.project, 'docs/a/config'),
    `[core]\n\tfsmonitor=touch ${at.outside}/CANARY; false\n\tbare=false\n\tworktree=.\n`,
  );
  await writeFile(path.join(at.project, 'c.sh'), `#!/bin/sh\ntouch ${at.outside}/CANARY\ncat\n`, { mode: 0o755 });
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
