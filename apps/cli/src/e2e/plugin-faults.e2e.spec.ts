import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Sandbox } from './cli-process.spec-support.js';

// Each is a plugin that goes wrong in one process and is asked about in another.
jest.setTimeout(120_000);

const bad = (body: string, more = ''): string =>
  `export default { name: 'bad', setup(api) { ${body} }, ${more} };`;

describe('what went wrong in a plugin while a run had it loaded', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await Sandbox.create({ 'a.txt': 'from disk' });
    const turns = [{ calls: [{ tool: 'read', input: { path: 'a.txt' } }] }, { text: 'done' }];
    const script = await sandbox.write('../script.json', JSON.stringify({ turns }));
    await sandbox.configure({
      provider: { type: 'scripted', model: 'script', script },
      agent: { pluginSetupMs: 1_500, pluginTeardownMs: 300 },
    });
  });
  afterEach(() => sandbox.remove());

  const install = (text: string): Promise<string> =>
    sandbox.write('~/.wrongstack/plugins/bad/index.mjs', text);
  const listed = async (): Promise<{ state: string; faults: unknown[]; earlier: unknown[] } | undefined> =>
    (JSON.parse((await sandbox.run(['plugin', 'list', '--json'])).stdout) as { state: string }[])[0] as never;

  it.each([
    [
      'a hook',
      "api.extensions.register({ name: 'h', beforeRun() { throw new Error('broke in the hook') } })",
      'broke in the hook',
    ],
    [
      'a listener',
      "api.onEvent('tool.executed', () => { throw new Error('broke in the listener') })",
      'broke in the listener',
    ],
    [
      'middleware',
      "api.pipelines.request.use({ name: 'm', handler() { throw new Error('broke in the pipe') } })",
      'broke in the pipe',
    ],
    [
      'the prompt',
      "api.registerSystemPromptContributor(() => { throw new Error('broke in the prompt') })",
      'broke in the prompt',
    ],
    [
      'late registration',
      "api.extensions.register({ name: 'h', beforeRun() { api.slashCommands.register({ name: 'late', description: '', async execute() {} }) } })",
      'after its setup',
    ],
  ])('is a line in a later list: %s', async (_what, body, words) => {
    await install(bad(body));
    const run = await sandbox.run(['run', 'hi', '--output', 'json']);
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { text: 'done', calls: { ok: 1 } }]);
    expect(await listed()).toMatchObject({
      state: 'loaded',
      faults: [],
      earlier: [
        {
          code: expect.stringMatching(/^plugin\./),
          message: expect.stringContaining(words),
          lastAt: expect.any(String),
        },
      ],
    });
    const text = (await sandbox.run(['plugin', 'list'])).stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('last at');
    const folder = path.join(sandbox.home, '.wrongstack/plugin-faults');
    const [file = ''] = readdirSync(folder);
    expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it('holds no secret', async () => {
    await install(
      bad(
        "api.extensions.register({ name: 'h', beforeRun() { throw new Error('no login with sk-ant-api03-' + 'a'.repeat(95)) } })",
      ),
    );
    await sandbox.run(['run', 'hi']);
    const earlier = JSON.stringify((await listed())?.earlier);
    expect(earlier).toContain('no login with');
    expect(earlier).not.toContain('aaaaaaaa');
  });

  it('and in its teardown, thrown or without end, by the limit that the person set', async () => {
    await install(bad('', "teardown() { throw new Error('at the end') }"));
    expect(await sandbox.run(['tool', 'list'])).toMatchObject({ code: 0 });
    expect((await sandbox.run(['run', 'hi'])).stdout).toBe('done\n');
    expect((await listed())?.earlier).toMatchObject([
      { code: 'plugin.teardown_failed', message: 'at the end' },
    ]);
    await install(bad('', 'teardown: () => new Promise(() => {})'));
    expect((await sandbox.run(['run', 'hi'])).stdout).toBe('done\n');
    expect((await listed())?.earlier).toMatchObject([
      { code: 'plugin.teardown_timeout', message: 'teardown of bad did not answer within 300 ms' },
    ]);
  });

  it.each([
    [
      'its import',
      'await new Promise((resolve) => setTimeout(resolve, 1e6)); export default { name: "bad", setup() {} };',
      'plugin.import_timeout',
    ],
    [
      'its setup',
      "export default { name: 'bad', setup: () => new Promise((resolve) => setTimeout(resolve, 1e6)) };",
      'plugin.setup_timeout',
    ],
    [
      'its setup, with nothing that keeps it alive',
      "export default { name: 'bad', setup: () => new Promise(() => {}) };",
      'plugin.setup_timeout',
    ],
  ])('that never ends %s is given up after the limit, and the run goes on', async (_what, text, code) => {
    await install(text);
    expect(await listed()).toMatchObject({ state: 'failed', error: { code } });
    expect(await sandbox.run(['run', 'hi'])).toMatchObject({ code: 0, stdout: 'done\n' });
  });

  it.each([0, -1, 1.5, 'soon', 1e9])('has no limit of %j: the file is named', async (limit) => {
    await sandbox.configure({ agent: { pluginTeardownMs: limit } });
    const { code, stderr } = await sandbox.run(['plugin', 'list']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('pluginTeardownMs')]);
  });
});
