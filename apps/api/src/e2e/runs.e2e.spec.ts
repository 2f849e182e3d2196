import type { AddressInfo } from 'node:net';
import { calls, RunApi, says } from '../runs/runs.spec-support.js';
import { Machine } from './wstack.spec-support.js';

jest.setTimeout(120_000);

/** The built `wstack` of a developer, and runs on a real control plane whose model speaks a real wire format. */
describe('wstack runs', () => {
  let runs: RunApi;
  let machine: Machine;
  beforeAll(async () => {
    runs = await RunApi.start();
    await runs.api.app.listen(0, '127.0.0.1');
    const { port } = runs.api.app.getHttpServer().address() as AddressInfo;
    const dev = await runs.api.person('dev', ['developer'], ['payments']);
    machine = await Machine.create();
    const login = await machine.run(['login', '--server', `http://127.0.0.1:${port}`, '--token'], `${dev}\n`);
    expect(login).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await machine.remove();
    await runs.stop();
  });

  it('starts one, follows it to its end, and says how it ended as a local run does', async () => {
    runs.model.push(calls('read', { path: 'notes.txt' }), says('It is 42.'));
    const start = ['runs', 'start', 'what is the answer?', '--workspace', runs.workspace, '--follow'];
    const { code, stdout } = await machine.run(start);
    expect(code).toBe(0);
    expect(stdout).toContain('> read {"path":"notes.txt"}');
    expect(stdout).toContain('ended · succeeded');
    expect(stdout.trimEnd().endsWith('It is 42.')).toBe(true);

    runs.model.push(calls('bash', { command: 'rm -rf /etc' }), says('I may not.'));
    const denied = await machine.run([...start, '--json']);
    expect(denied.code).toBe(3);
    const events = denied.stdout.trim().split('\n');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ type: 'end', data: { state: 'failed' } });
  });

  it('shows, lists and cancels, and says what the server refuses', async () => {
    runs.model.push(calls('bash', { command: 'sleep 60' }));
    const started = await machine.run(['runs', 'start', 'wait', '--workspace', runs.workspace, '--json']);
    const { id } = JSON.parse(started.stdout) as { readonly id: string };
    expect((await machine.run(['runs', 'list'])).stdout).toMatch(new RegExp(`${id} · (queued|running)`));
    expect((await machine.run(['runs', 'cancel', id])).code).toBe(0);
    const followed = await machine.run(['runs', 'follow', id]);
    expect([followed.code, followed.stdout]).toEqual([130, expect.stringContaining('ended · cancelled')]);
    const shown = await machine.run(['runs', 'show', id, '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'cancelled', cancel: { by: 'dev' } });
    const refused = await machine.run(['runs', 'start', 'x', '--workspace', '/etc']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('ask the operator')]);
    expect((await machine.run(['runs', 'show', 'r-000000000000000'])).stderr).toContain('no such run');
  });
});
