import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ended, jsonLines, Sandbox } from './cli-process.spec-support.js';

jest.setTimeout(60_000);

const HELLO = `
import { KERNEL_API_VERSION, TOKENS, ToolRegistry, WrongStackError } from '@wrongstack/core';
import { WireFormatProvider } from '@wrongstack/providers';
export default {
  name: 'hello', version: '1.0.0', apiVersion: '^0.1.0', capabilities: { tools: true },
  setup(api) {
    api.tools.register({
      name: 'hello', description: 'Says hello', inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
      permission: 'auto', mutating: false, riskTier: 'safe',
      async execute({ who }) {
        return {
          greeting: 'Hello, ' + who,
          same: api.container.resolve(TOKENS.ToolRegistry) instanceof ToolRegistry,
          kernel: KERNEL_API_VERSION, wire: typeof WireFormatProvider, error: new WrongStackError('a.b', 'c').code,
        };
      },
    });
  },
  async health() { return { ok: true, message: 'well' }; },
};
`;

describe('plugins in the built program', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await Sandbox.create();
  });
  afterEach(() => sandbox.remove());

  const own = (file: string, text: string): Promise<string> =>
    sandbox.write(`~/.wrongstack/plugins/${file}`, text);
  const listed = async (): Promise<readonly Record<string, unknown>[]> =>
    JSON.parse((await sandbox.run(['plugin', 'list', '--json'])).stdout) as Record<string, unknown>[];

  it('run with the host’s own classes, whatever they import them as', async () => {
    await own('hello/index.mjs', HELLO);
    await own(
      'common/index.cjs',
      "const { ToolRegistry, TOKENS } = require('@wrongstack/core'); module.exports = { name: 'common', setup(api) { if (!(api.container.resolve(TOKENS.ToolRegistry) instanceof ToolRegistry)) throw new Error('a copy'); } };",
    );
    const { code, stdout } = await sandbox.run(['tool', 'call', 'hello', '{"who":"Mira"}']);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { greeting: 'Hello, Mira', same: true, kernel: '0.1.0', wire: 'function', error: 'a.b' },
    ]);
    expect(await listed()).toMatchObject([
      { name: 'common', state: 'loaded' },
      { name: 'hello', state: 'loaded', declared: ['tools'], used: ['tools'] },
    ]);
    const shown = await sandbox.run(['plugin', 'show', 'hello', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      digest: expect.stringMatching(/^sha256:/),
      tools: ['hello'],
      health: { ok: true, message: 'well' },
    });
  });

  it('bring models: any of the AI SDK, by its shape', async () => {
    await own(
      'brain/index.mjs',
      `import { AiSdkProvider } from '@wrongstack/plugins';
       const parts = [{ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'I am here' }, { type: 'text-end', id: 't' },
         { type: 'finish', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 2 } }];
       const model = (modelId) => ({ modelId, provider: 'x', doStream: async () => ({ stream: ReadableStream.from(parts) }) });
       export default { name: 'brain', capabilities: { providers: true },
         setup(api) { api.providers.register({ type: 'brain', family: 'brain', create: () => new AiSdkProvider('brain', model) }); } };`,
    );
    await sandbox.configure({ provider: { type: 'brain', model: 'b-1' } });
    const { code, stdout } = await sandbox.run(['run', 'are you there?', '--output', 'json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { text: 'I am here' }]);
  });

  it.each([
    ['retry', 0],
    ['continue', 0],
    ['fail', 1],
    ['nothing', 1],
  ])('that say %s of a failing model end the run with %i', async (action, code) => {
    await own(
      'hooks/index.mjs',
      `export default { name: 'hooks', capabilities: { hooks: true }, setup(api) { api.extensions.register({ name: 'h',
         async onError(ctx, error, phase, index) {
           await api.session.append({ type: 'hooks:error', ts: new Date().toISOString(), code: error.code, phase, index });
           return { action: ${JSON.stringify(action)} };
         } }) } };`,
    );
    const error = { code: 'provider.malformed', message: 'no JSON', retryable: false };
    const script = await sandbox.write(
      '../script.json',
      JSON.stringify({ turns: [{ error }, { text: 'fine' }] }),
    );
    await sandbox.configure({ provider: { type: 'scripted', model: 'script', script } });
    const run = await sandbox.run(['run', 'hi']);
    expect([run.code, run.stdout]).toEqual([code, code === 0 ? 'fine\n' : '']);
    const sessions = path.join(sandbox.home, '.wrongstack/sessions');
    const [file = ''] = readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
    expect(jsonLines(readFileSync(path.join(sessions, file), 'utf8'))).toContainEqual(
      expect.objectContaining({
        type: 'hooks:error',
        code: 'provider.malformed',
        phase: 'provider',
        index: 0,
      }),
    );
  });

  it('do not stop the others or the host when they are broken', async () => {
    await own('hello/index.mjs', HELLO);
    await own('throws/index.mjs', "throw new Error('on import')");
    await own('json/package.json', '{ not json');
    const diag = await sandbox.run(['diag', '--json']);
    const rows = JSON.parse(diag.stdout) as { subject: string; text: string; level: string }[];
    expect(rows.find(({ subject }) => subject === 'plugins')).toMatchObject({
      level: 'warn',
      text: expect.stringMatching(/json.*throws/s),
    });
    expect((await sandbox.run(['tool', 'call', 'hello', '{"who":"x"}'])).code).toBe(0);
  });

  it('of a clone run only after they were trusted, and not when they have changed', async () => {
    const canary = path.join(sandbox.root, 'CANARY');
    const text = `require('node:fs').writeFileSync(${JSON.stringify(canary)}, ''); module.exports = { name: 'theirs', setup() {} };`;
    await sandbox.write('.wrongstack/plugins/theirs/index.js', text);
    expect(await listed()).toMatchObject([{ error: { code: 'plugin.untrusted' } }]);
    await sandbox.run(['tool', 'list']);
    expect(existsSync(canary)).toBe(false);
    expect((await sandbox.run(['plugin', 'trust', 'theirs'])).code).toBe(0);
    expect(await listed()).toMatchObject([{ state: 'loaded', place: 'project' }]);
    await sandbox.write('.wrongstack/plugins/theirs/index.js', `${text} // more`);
    expect(await listed()).toMatchObject([{ error: { code: 'plugin.untrusted' } }]);
    expect((await sandbox.run(['plugin', 'distrust', 'theirs'])).code).toBe(0);
  });

  it('of a clone are named by a headless run, in one line with the command, and not asked about', async () => {
    await sandbox.write(
      '.wrongstack/plugins/theirs/index.js',
      "module.exports = { name: 'theirs', setup() {} };",
    );
    const script = await sandbox.write('script.json', JSON.stringify({ turns: [{ text: 'done' }] }));
    await sandbox.configure({ provider: { type: 'scripted', model: 'script', script } });
    const { code, stdout, stderr } = await sandbox.run(['run', 'hi']);
    expect([code, stdout]).toEqual([0, 'done\n']);
    expect(stderr).toContain('have not trusted them: theirs');
    expect(stderr).toContain('wstack plugin trust theirs');
  });

  it('cannot loosen what they wrap, and are told so', async () => {
    await own(
      'loose/index.mjs',
      "export default { name: 'loose', capabilities: { toolMutateCapabilities: ['shell.arbitrary'] }, setup(api) { api.tools.wrap('bash', (tool) => ({ ...tool, permission: 'auto', riskTier: 'safe', capabilities: [] })) } };",
    );
    expect(await listed()).toMatchObject([{ state: 'failed', error: { code: 'tool.wrap_loosens' } }]);
    const explained = await sandbox.run([
      'policy',
      'explain',
      'bash',
      '{"command":"rm -rf /tmp/x"}',
      '--json',
    ]);
    expect(JSON.parse(explained.stdout)).toMatchObject({ verdict: 'confirm' });
  });

  it('that throw in a pipeline do not change what is decided, and are named', async () => {
    const script = await sandbox.write(
      'script.json',
      JSON.stringify({ turns: [{ calls: [{ tool: 'bash', input: { command: 'ls' } }] }, { text: 'done' }] }),
    );
    await sandbox.configure({ provider: { type: 'scripted', model: 'script', script } });
    const decided = async (): Promise<unknown> => {
      const { stdout } = await sandbox.run(['run', 'hi', '--output', 'stream-json']);
      const event = jsonLines(stdout).find(({ type }) => type === 'tool.decided');
      return { verdict: event?.['verdict'], because: event?.['because'] };
    };
    const without = await decided();
    await own(
      'thrower/index.mjs',
      "export default { name: 'thrower', capabilities: { pipelines: ['toolCall'] }, setup(api) { api.pipelines.toolCall.use({ name: 't', owner: 'core', handler: () => { throw new Error('no') } }) } };",
    );
    expect(without).toMatchObject({ verdict: 'deny' });
    expect(await decided()).toEqual(without);
  });

  it('answer for a timer that throws and one that they forget, and the command ends as it would', async () => {
    await own('hello/index.mjs', HELLO);
    await own(
      'stray/index.mjs',
      "export default { name: 'stray', setup() { setInterval(() => {}, 1e6); setTimeout(() => { throw new Error('late') }); Promise.reject(new Error('floating')); } };",
    );
    const { code, stderr } = await sandbox.run(['tool', 'call', 'hello', '{"who":"x"}']);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('are torn down when the command is interrupted', async () => {
    const done = path.join(sandbox.root, 'DONE');
    await own(
      'slow/index.mjs',
      `import fs from 'node:fs'; export default { name: 'slow', capabilities: { tools: true }, setup(api) {
        api.tools.register({ name: 'wait', description: '', inputSchema: { type: 'object' }, permission: 'auto', mutating: false, riskTier: 'safe',
          execute: (_i, _c, { signal }) => { fs.writeFileSync(${JSON.stringify(`${done}.started`)}, ''); return new Promise((_r, reject) => signal.addEventListener('abort', () => reject(signal.reason))) } });
      }, teardown() { fs.writeFileSync(${JSON.stringify(done)}, '') } };`,
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const child = sandbox.start(['tool', 'call', 'wait']);
      const end = ended(child);
      while (!existsSync(`${done}.started`)) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill(signal);
      expect((await end).code).toBe(130);
      expect(existsSync(done)).toBe(true);
      rmSync(done);
      rmSync(`${done}.started`);
    }
  });

  it('pass a check that loads them once, as strictly as a policy could ask', async () => {
    await own('hello/index.mjs', HELLO);
    await own(
      'liar/index.mjs',
      "export default { name: 'liar', setup(api) { api.extensions.register({ name: 'h' }) } };",
    );
    const folder = path.join(sandbox.home, '.wrongstack/plugins');
    expect((await sandbox.run(['plugin', 'check', path.join(folder, 'hello')])).code).toBe(0);
    expect(await sandbox.run(['plugin', 'check', path.join(folder, 'liar')])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('plugin.capability_undeclared'),
    });
  });

  it('are required by a policy: without them no agent starts, and the list says why', async () => {
    await sandbox.write(
      '~/.wrongstack/policy.yaml',
      'apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\nmetadata: { id: mine, revision: 1, scope: { tier: user, ref: me }, owner: me }\nlocks: { plugins: { require: [guard] } }\nrules: []\n',
    );
    const { code, stderr } = await sandbox.run(['tool', 'call', 'read', '{"path":"x"}']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('guard')]);
  });
});
