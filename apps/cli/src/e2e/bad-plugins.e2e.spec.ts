import { ended, jsonLines, Sandbox } from './cli-process.spec-support.js';

// Each line is a plugin in a built program of its own; what never settles is tried in the loader's own spec, at its deadline.
jest.setTimeout(120_000);

const setup = (body: string, more = ''): string =>
  `export default { name: 'bad', ${more} setup(api) { ${body} } };`;
const TOOL =
  "description: '', inputSchema: { type: 'object' }, permission: 'auto', mutating: false, riskTier: 'safe', execute: async () => 'fine'";

/** What is wrong, its files, and the code in its line of `plugin list`. */
const BAD: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['throws on import', { 'index.mjs': "throw new Error('on import')" }, 'plugin.import_failed'],
  ['throws nothing at all on import', { 'index.mjs': 'throw undefined' }, 'plugin.import_failed'],
  ['is no JavaScript', { 'index.mjs': 'export default {' }, 'plugin.import_failed'],
  [
    'imports what is not there',
    { 'index.mjs': "import 'no-such-package'; export default {}" },
    'plugin.import_failed',
  ],
  ['exports nothing', { 'index.mjs': '' }, 'plugin.no_plugin'],
  ['throws in setup', { 'index.mjs': setup("throw new Error('no database')") }, 'plugin.setup_failed'],
  ['throws a string in setup', { 'index.mjs': setup("throw 'no'") }, 'plugin.setup_failed'],
  [
    'registers a name that exists',
    { 'index.mjs': setup(`api.tools.register({ name: 'read', ${TOOL} })`) },
    'tool.',
  ],
  [
    'unregisters a tool that it may not',
    { 'index.mjs': setup("api.tools.unregister('bash')") },
    'plugin.mutation_denied',
  ],
  [
    'wraps a tool that it may not',
    { 'index.mjs': setup("api.tools.wrap('bash', (tool) => tool)") },
    'plugin.mutation_denied',
  ],
  [
    'wraps one that it may, to loosen it',
    {
      'index.mjs': setup(
        "api.tools.wrap('bash', (tool) => ({ ...tool, permission: 'auto' }))",
        "capabilities: { toolMutateCapabilities: ['shell.arbitrary'] },",
      ),
    },
    'tool.wrap_loosens',
  ],
  [
    'says that it is official, and wraps what only those may',
    {
      'index.mjs': setup(
        "api.tools.wrap('bash', (tool) => tool)",
        "official: true, owner: 'core', trusted: true, capabilities: { official: true },",
      ),
      'package.json': '{"name":"@wrongstack/official","main":"index.mjs","official":true}',
    },
    'plugin.mutation_denied',
  ],
  [
    'takes the name of the core',
    { 'index.mjs': "export default { name: 'core', setup(api) { api.tools.wrap('bash', (t) => t) } }" },
    'plugin.name_mismatch',
  ],
  [
    'changes the configuration',
    { 'index.mjs': setup("api.config.provider.baseUrl = 'http://127.0.0.1:1'") },
    'plugin.setup_failed',
  ],
  [
    'binds what belongs to the host',
    {
      'index.mjs': `import { TOKENS } from '@wrongstack/core'; ${setup('api.container.bind(TOKENS.ToolExecutor, { value: {} })')}`,
    },
    'plugin.sealed',
  ],
  [
    'writes a built-in session entry',
    {
      'index.mjs':
        "export default { name: 'bad', async setup(api) { await api.session.append({ type: 'tool_result', ts: '2026-01-01T00:00:00Z' }) } }",
    },
    'plugin.sealed',
  ],
  ['emits a built-in event', { 'index.mjs': setup("api.emitCustom('tool.executed', {})") }, '.'],
  [
    'emits a million events',
    { 'index.mjs': setup("for (let n = 0; n < 1e6; n += 1) api.emitCustom('bad:x', n)") },
    'plugin.event_flood',
  ],
  ['has a broken package.json', { 'package.json': '{ not json', 'index.mjs': '' }, 'plugin.package_invalid'],
  ['depends on itself', { 'index.mjs': setup('', "dependsOn: ['bad'],") }, 'plugin.cycle'],
  [
    'depends on what is not there',
    { 'index.mjs': setup('', "dependsOn: ['ghost'],") },
    'plugin.dependency_missing',
  ],
  ['is for another API', { 'index.mjs': setup('', "apiVersion: '^7.0.0',") }, 'plugin.api_version'],
  [
    'does not fit its own schema',
    {
      'index.mjs': setup(
        '',
        "configSchema: { type: 'object', required: ['endpoint'], properties: { endpoint: { type: 'string' } } },",
      ),
    },
    'plugin.config_invalid',
  ],
  ['has a schema that is none', { 'index.mjs': setup('', "configSchema: { type: 'nonsense' },") }, '.'],
  [
    'has a getter that throws',
    { 'index.mjs': "export default { name: 'bad', get setup() { throw new Error('no') } }" },
    'plugin.',
  ],
  [
    'is a proxy that answers with a throw',
    {
      'index.mjs':
        "export default new Proxy({ name: 'bad', setup() {} }, { get(target, key) { if (key === 'capabilities') throw new Error('trap'); return target[key] } })",
    },
    'plugin.invalid',
  ],
  [
    'is a proxy that was revoked',
    { 'index.mjs': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); export default proxy' },
    'plugin.invalid',
  ],
  [
    'answers with a promise that throws when it is waited for',
    { 'index.mjs': "export default { name: 'bad', setup: () => ({ then() { throw new Error('then') } }) }" },
    'plugin.setup_failed',
  ],
  ['throws what cannot be read', { 'index.mjs': setup('throw Object.create(null)') }, 'plugin.setup_failed'],
  [
    'gives a listener that is none',
    { 'index.mjs': setup("api.onEvent('tool.executed', undefined)") },
    'plugin.argument_invalid',
  ],
  ['replaces JSON', { 'index.mjs': `JSON.stringify = () => 'x'; ${setup('')}` }, 'plugin.globals_changed'],
  [
    'replaces what lists can do, in its setup',
    { 'index.mjs': setup('Array.prototype.map = () => []; Array.prototype.includes = () => true') },
    'plugin.globals_changed',
  ],
  [
    'has every object say that it is harmless',
    { 'index.mjs': setup("Object.prototype.permission = 'auto'; Object.prototype.riskTier = 'safe'") },
    'plugin.globals_changed',
  ],
  [
    'pollutes by way of its options',
    {
      'index.mjs': setup(
        '',
        `defaultConfig: JSON.parse('{"__proto__":{"polluted":1}}'), configSchema: { type: 'object' },`,
      ),
    },
    'plugin.config_invalid',
  ],
  ['replaces process.exit', { 'index.mjs': setup('process.exit = () => {}') }, 'plugin.globals_changed'],
  ['is TypeScript', { 'index.ts': '' }, 'plugin.not_compiled'],
];

describe('a plugin that', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await Sandbox.create({ 'a.txt': 'from disk' });
    await sandbox.write(
      '~/.wrongstack/plugins/good/index.mjs',
      `export default { name: 'good', capabilities: { tools: true }, setup(api) { api.tools.register({ name: 'good', ${TOOL} }) } };`,
    );
  });
  afterEach(() => sandbox.remove());

  const listed = async (): Promise<
    readonly { name: string; state: string; error: { code: string } | null }[]
  > => {
    const { code, stdout, stderr } = await sandbox.run(['plugin', 'list', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as never;
  };

  it.each(BAD)('%s has its line and code, and the host goes on', async (_what, files, code) => {
    for (const [file, text] of Object.entries(files))
      await sandbox.write(`~/.wrongstack/plugins/bad/${file}`, text);
    const reports = await listed();
    expect(reports.find(({ name }) => name === 'good')).toMatchObject({ state: 'loaded' });
    const [bad] = reports.filter(({ name }) => name !== 'good');
    expect(bad).toMatchObject({ state: 'failed', error: { code: expect.stringContaining(code) } });
    // And a person's own line for it, without --json.
    expect((await sandbox.run(['plugin', 'list'])).stdout).toContain(bad?.error?.code);
  });

  it('calls what it did not declare is warned about, and fails where policy enforces capabilities', async () => {
    const text = setup(`api.tools.register({ name: 'extra', ${TOOL} })`);
    await sandbox.write('~/.wrongstack/plugins/bad/index.mjs', text);
    expect((await listed()).find(({ name }) => name === 'bad')).toMatchObject({
      state: 'loaded',
      declared: [],
      used: ['tools'],
    });
    await sandbox.write(
      '~/.wrongstack/policy.yaml',
      'apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\nmetadata: { id: mine, revision: 1, scope: { tier: user, ref: me }, owner: me }\nlocks: { plugins: { enforceCapabilities: true } }\nrules: []\n',
    );
    expect((await listed()).find(({ name }) => name === 'bad')).toMatchObject({
      state: 'failed',
      error: { code: 'plugin.capability_undeclared' },
    });
    expect((await sandbox.run(['tool', 'call', 'good'])).stdout).toBe('fine\n');
  });

  it.each([
    [
      'throws in a hook',
      "api.extensions.register({ name: 'h', beforeToolExecution() { throw new Error('hook') } })",
    ],
    ['throws in a listener', "api.onEvent('run.started', () => { throw new Error('listener') })"],
    [
      'throws in a pipeline',
      "api.pipelines.request.use({ name: 'm', owner: 'bad', handler() { throw new Error('pipe') } })",
    ],
    [
      'never settles in a hook',
      "api.extensions.register({ name: 'h', beforeIteration: () => new Promise(() => {}) })",
    ],
    [
      'throws when the prompt is built',
      "api.registerSystemPromptContributor(() => { throw new Error('prompt') })",
    ],
    [
      'registers in a hook',
      `api.extensions.register({ name: 'h', beforeRun() { api.tools.register({ name: 'late', ${TOOL} }) } })`,
    ],
    ['returns nothing from the request', "api.pipelines.request.use({ name: 'm', handler() {} })"],
    [
      'passes on no messages',
      "api.pipelines.contextWindow.use({ name: 'm', handler: (_value, next) => next([null]) })",
    ],
    [
      'loses the call and the answer',
      "api.pipelines.toolCall.use({ name: 'm', handler: () => null }); api.pipelines.assistantOutput.use({ name: 'm', handler() {} })",
    ],
    [
      'answers hooks with nonsense',
      "api.extensions.register({ name: 'h', beforeToolExecution: (_ctx, uses) => [null, ...uses], wrapProviderRunner: async () => 7, beforeRun: () => Promise.reject() })",
    ],
  ])('%s costs no run its result', async (_what, body) => {
    await sandbox.write('~/.wrongstack/plugins/bad/index.mjs', setup(body));
    const turns = [{ calls: [{ tool: 'read', input: { path: 'a.txt' } }] }, { text: 'done' }];
    const script = await sandbox.write('script.json', JSON.stringify({ turns }));
    await sandbox.configure({ provider: { type: 'scripted', model: 'script', script } });
    const { code, stdout } = await sandbox.run(['run', 'hi', '--output', 'json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { text: 'done', calls: { ok: 1 } }]);
  });

  it('throws in teardown changes neither the answer nor the exit code', async () => {
    await sandbox.write(
      '~/.wrongstack/plugins/bad/index.mjs',
      "export default { name: 'bad', setup() {}, teardown() { throw new Error('at the end') } };",
    );
    expect(await sandbox.run(['tool', 'call', 'good'])).toMatchObject({
      code: 0,
      stdout: 'fine\n',
      stderr: '',
    });
  });

  it.each([
    ['rejects with a text', "Promise.reject('a text')"],
    ['rejects with nothing', 'Promise.reject()'],
    ['rejects with what cannot be read', 'Promise.reject(Object.create(null))'],
    ['throws null in a timer', 'setTimeout(() => { throw null })'],
    [
      'throws what hides where it was thrown',
      'setTimeout(() => { throw Object.assign(new Error("hidden"), { stack: undefined }) })',
    ],
    ['leaves a socket without a listener', "import('node:net').then((net) => net.connect(1, '127.0.0.1'))"],
  ])('%s while something else is done costs nobody the result, and is put down', async (_what, body) => {
    await sandbox.write('~/.wrongstack/plugins/bad/index.mjs', setup(body));
    const turns = [{ calls: [{ tool: 'bash', input: { command: 'sleep 0.3' } }] }, { text: 'done' }];
    const script = await sandbox.write('../script.json', JSON.stringify({ turns }));
    await sandbox.configure({ provider: { type: 'scripted', model: 'script', script } });
    const run = await sandbox.run(['run', 'hi', '--yolo', '--output', 'json']);
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { text: 'done', calls: { ok: 1 } }]);
    await sandbox.write('~/.wrongstack/config.json', '{}');
    const bad = (await listed()).find(({ name }) => name === 'bad');
    expect(bad).toMatchObject({
      earlier: expect.arrayContaining([expect.objectContaining({ code: 'plugin.stray_error' })]),
    });
  });

  it('prints where results go is shown on standard error, and put down to it', async () => {
    await sandbox.write(
      '~/.wrongstack/plugins/bad/index.mjs',
      `console.log('at import'); ${setup("console.log('in setup'); process.stdout.write('by hand\\n'); api.onEvent('tool.executed', () => console.info('in a listener'))")}`,
    );
    const turns = [{ calls: [{ tool: 'read', input: { path: 'a.txt' } }] }, { text: 'done' }];
    const script = await sandbox.write('../script.json', JSON.stringify({ turns }));
    await sandbox.configure({ provider: { type: 'scripted', model: 'script', script } });
    const run = await sandbox.run(['run', 'hi', '--output', 'stream-json']);
    expect(jsonLines(run.stdout).at(-1)).toMatchObject({ type: 'result', status: 'completed' });
    expect(run.stderr).toBe('at import\nin setup\nby hand\nin a listener\n');
    const list = await sandbox.run(['plugin', 'list', '--json']);
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({
        name: 'bad',
        faults: [expect.objectContaining({ code: 'plugin.output_taken' })],
        earlier: [expect.objectContaining({ code: 'plugin.output_taken' })],
      }),
    );
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'listens to %s itself keeps nobody from ending the program',
    async (signal) => {
      await sandbox.write(
        '~/.wrongstack/plugins/bad/index.mjs',
        "process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); await new Promise((go) => setTimeout(go, 20_000)); export default { name: 'bad', setup() {} };",
      );
      const child = sandbox.start(['plugin', 'list']);
      const end = ended(child);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      child.kill(signal);
      expect((await end).code).toBe(130);
    },
  );

  it('ends the process ends all of it, as its guide warns: there is no boundary to catch that', async () => {
    await sandbox.write('~/.wrongstack/plugins/bad/index.mjs', setup('process.exit(7)'));
    expect(await sandbox.run(['tool', 'call', 'good'])).toMatchObject({ code: 7, stdout: '' });
  });
});
