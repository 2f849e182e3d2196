import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { compilePlugins, examples, LoopbackModel, Wstack } from './wstack.spec-support.js';

describe('the example plugins', () => {
  let out: string;
  let wstack: Wstack;
  beforeAll(() => {
    out = compilePlugins();
  });
  afterAll(() => rmSync(out, { recursive: true }));
  beforeEach(() => {
    wstack = new Wstack();
    for (const name of ['tenant-header', 'notebook', 'careful-bash']) {
      wstack.install(name, path.join(out, name), path.join(examples, name));
    }
  });
  afterEach(() => wstack.remove());

  it('use what they declare, nothing else, and pass the check', async () => {
    expect(await wstack.json(['plugin', 'list'])).toMatchObject([
      { name: 'careful-bash', state: 'loaded', declared: ['mutation'], used: ['mutation'] },
      {
        name: 'notebook',
        state: 'loaded',
        declared: ['tools', 'slashCommands'],
        used: ['tools', 'slashCommands'],
      },
      { name: 'tenant-header', state: 'loaded' },
    ]);
    for (const name of ['tenant-header', 'notebook', 'careful-bash']) {
      const { code, stdout } = await wstack.run([
        'plugin',
        'check',
        path.join(wstack.home, '.wrongstack/plugins', name),
      ]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('uses what it declared')]);
    }
  });

  it('send a tenant with each model request', async () => {
    const model = new LoopbackModel([{ text: 'done' }]);
    try {
      wstack.configure({
        provider: { type: 'openai-compatible', model: 'm', baseUrl: await model.listen() },
        extensions: { 'tenant-header': { tenant: 'payments' } },
      });
      const { code } = await wstack.run(['run', 'hi']);
      expect([code, model.requests[0]?.headers['x-tenant']]).toEqual([0, 'payments']);
      wstack.configure({ extensions: { 'tenant-header': { tenant: 'no\r\nsuch: header' } } });
      expect(await wstack.json(['plugin', 'show', 'tenant-header'])).toMatchObject({
        error: { code: 'plugin.config_invalid' },
      });
    } finally {
      model.close();
    }
  });

  it('take notes in the project, as a write that is asked for', async () => {
    expect((await wstack.run(['tool', 'call', 'take_note', '{"text":"tea at four"}'])).code).toBe(3);
    expect((await wstack.run(['tool', 'call', 'take_note', '{"text":"tea at four"}', '--yolo'])).code).toBe(
      0,
    );
    expect(readFileSync(path.join(wstack.project, 'NOTES.md'), 'utf8')).toBe('- tea at four\n');
    const explained = await wstack.json(['policy', 'explain', 'take_note', '{"text":"x"}']);
    expect(JSON.stringify(explained)).toContain('NOTES.md');
    expect(await wstack.json(['plugin', 'show', 'notebook'])).toMatchObject({
      tools: ['take_note'],
      health: { ok: true, message: 'notes can be written' },
    });
  });

  it('keep programs from bash that YOLO would have run, and leave the rest as it was', async () => {
    expect(await wstack.json(['policy', 'explain', 'bash', '{"command":"ls"}'])).toMatchObject({
      verdict: 'confirm',
    });
    expect((await wstack.run(['tool', 'call', 'bash', '{"command":"ls"}'])).code).toBe(3);
    expect((await wstack.run(['tool', 'call', 'bash', '{"command":"echo hi"}', '--yolo'])).stdout).toContain(
      'hi',
    );
    expect(
      await wstack.run(['tool', 'call', 'bash', '{"command":"echo a; curl --version"}', '--yolo']),
    ).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('curl is not run in this project'),
    });
  });
});
