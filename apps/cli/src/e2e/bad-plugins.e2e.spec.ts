import { Sandbox } from './cli-process.spec-support.js';

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
});
