import { rmSync } from 'node:fs';
import path from 'node:path';
import { compilePlugins, examples, LoopbackModel, root, Wstack } from './wstack.spec-support.js';

/** What `npx -y @me/my-mcp-server` starts. */
const MEMORY_SERVER = `#!/bin/sh
[ "$*" = "-y @me/my-mcp-server" ] && exec node ${path.join(root, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')}
`;

/** The plugin guide's examples, retyped, compiled as they are and run in the built program. */
describe('the plugin guide', () => {
  let out: string;
  let wstack: Wstack;
  beforeAll(() => {
    out = compilePlugins();
  });
  afterAll(() => rmSync(out, { recursive: true }));
  beforeEach(() => {
    wstack = new Wstack();
  });
  afterEach(() => wstack.remove());

  const install = (...names: readonly string[]): void => {
    for (const name of names) {
      wstack.install(name, path.join(out, 'guide', name), path.join(examples, 'guide', name));
    }
  };

  it('has a first plugin whose tools run', async () => {
    install('my-plugin');
    expect((await wstack.run(['tool', 'call', 'hello', '{}'])).stdout).toBe('{"greeting":"Hello, world!"}\n');
    expect((await wstack.run(['tool', 'call', 'greet', '{"name":"Mira"}'])).stdout).toBe(
      '{"msg":"Hi, Mira"}\n',
    );
    expect((await wstack.run(['tool', 'call', 'hello', '{"who":7}'])).stdout).toContain(
      '/who: must be string',
    );
  });

  it('has dependencies, capabilities and options that are checked before setup', async () => {
    install('declared', 'wstack-auth');
    const listed = async (): Promise<unknown> => {
      const reports = (await wstack.json(['plugin', 'list'])) as {
        name: string;
        error: { code: string; message: string } | null;
      }[];
      return reports.find(({ name }) => name === 'declared');
    };
    expect(await listed()).toMatchObject({ error: { code: 'plugin.dependency_missing' } });
    install('wstack-router');
    expect(await listed()).toMatchObject({
      error: { code: 'plugin.config_invalid', message: expect.stringContaining('endpoint') },
    });
    wstack.configure({ plugins: { declared: { options: { endpoint: 'https://a', timeoutMs: 0 } } } });
    expect(await listed()).toMatchObject({ error: { message: expect.stringContaining('/timeoutMs') } });
    wstack.configure({
      plugins: [{ name: 'declared', options: { endpoint: 'https://a', timeoutMs: 0 } }],
      extensions: { declared: { timeoutMs: 5 } },
    });
    expect(await listed()).toMatchObject({
      state: 'loaded',
      declared: ['tools', 'slashCommands', 'pipelines.request', 'pipelines.toolCall'],
      used: [],
    });
  });

  it('has every surface: provider, pipeline, events, command, MCP, hooks, prompt, session, metrics, wrap, tools', async () => {
    install('surfaces', 'my-plugin');
    wstack.command('npx', MEMORY_SERVER);
    const model = new LoopbackModel([
      { tool: 'hello', input: { who: 'Mira' } },
      { tool: 'bash', input: { command: 'echo hi' } },
      { text: 'done' },
    ]);
    try {
      wstack.configure({ provider: { type: 'my-llm', model: 'm', baseUrl: await model.listen() } });
      const run = await wstack.run(['run', 'hi', '--output', 'json', '--tolerate-denials']);
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect(JSON.parse(run.stdout)).toMatchObject({ text: 'done' });
      const [first, second, third] = model.requests;
      expect(first?.headers['x-tenant']).toBe('default');
      expect(first?.body).toContain('## My Plugin Context');
      expect(first?.body).toContain('### Cache\\n- **cache_stats** — Show cache statistics');
      for (const name of ['tool_a', 'tool_b', 'cache_stats', 'mcp__my-mcp__read_graph']) {
        expect(first?.body).toContain(`"${name}"`);
      }
      expect(second?.body).toContain('Hello, Mira!');
      // Wrapped and tightened: destructive now, so nobody may run it without a person.
      expect(third?.body).toContain('Denied by');
      expect(wstack.sessions()).toContain('"my-plugin:cache_hit"');
      const reports = (await wstack.json(['plugin', 'list'])) as {
        name: string;
        faults: unknown[];
        used: string[];
      }[];
      const surfaces = reports.find(({ name }) => name === 'surfaces');
      expect(surfaces).toMatchObject({ state: 'loaded', faults: [] });
      expect([...(surfaces?.used ?? [])].sort()).toEqual([
        'hooks',
        'mcp',
        'mutation',
        'pipelines.request',
        'providers',
        'slashCommands',
        'tools',
      ]);
      expect(await wstack.json(['tool', 'show', 'bash'])).toMatchObject({ permission: 'confirm' });
    } finally {
      model.close();
    }
  });

  it('has a command, a prompt and options that change while a session goes on', async () => {
    install('surfaces');
    wstack.command('npx', MEMORY_SERVER);
    wstack.write(
      '~/.wrongstack/plugins/watcher/index.mjs',
      `import { TOKENS } from '@wrongstack/core';
       export default { name: 'watcher', defaultConfig: { ttl: 3600 }, setup(api) {
         const seen = [];
         api.registerSystemPromptContributor((ctx) => [{ type: 'text', text: 'tenant is ' + ctx.meta.tenant + '; ' + seen.join(', ') + '.' }]);
         api.onConfigChange((next, prev) => seen.push(prev.extensions.watcher.ttl + ' to ' + next.extensions.watcher.ttl));
         api.container.resolve(TOKENS.ConfigStore).watch((next) => seen.push('watched ' + next.extensions.watcher.ttl));
       }, async health() { return { ok: true, message: 'watching' }; } };`,
    );
    const model = new LoopbackModel([{ text: 'first answer' }, { text: 'second answer' }]);
    try {
      wstack.configure({
        provider: { type: 'openai-compatible', model: 'm', baseUrl: await model.listen() },
        policy: { profile: 'guide' },
      });
      const shown = await wstack.session([
        ['> ', 'hi'],
        ['first answer', '/tenant acme'],
        ['Tenant set to acme', '/config extensions.watcher.ttl 60'],
        ['extensions.watcher.ttl = 60', 'again'],
        ['second answer', '/diag plugins'],
        ['watching', '/quit'],
      ]);
      expect(shown).toContain('surfaces');
      expect(model.requests[0]?.body).toContain('tenant is undefined; .');
      expect(model.requests[1]?.body).toContain('tenant is acme; 3600 to 60, watched 60.');
      expect(await wstack.json(['config', 'get', 'extensions.watcher.ttl'])).toBe(60);
    } finally {
      model.close();
    }
  });

  it('has defaults, health and a teardown', async () => {
    install('defaults');
    const diag = (await wstack.json(['plugin', 'show', 'defaults'])) as Record<string, unknown>;
    expect(diag).toMatchObject({
      state: 'loaded',
      faults: [],
      health: { ok: true, message: 'Redis: connected' },
    });
  });

  it('has a strict mode that a policy can turn on for everybody', async () => {
    wstack.write(
      '~/.wrongstack/plugins/undeclared/index.mjs',
      "export default { name: 'undeclared', setup(api) { api.slashCommands.register({ name: 'x', description: '', async execute() {} }) } };",
    );
    expect(await wstack.json(['plugin', 'list'])).toMatchObject([
      { state: 'loaded', used: ['slashCommands'] },
    ]);
    wstack.write(
      '~/.wrongstack/policy.yaml',
      'apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\nmetadata: { id: mine, revision: 1, scope: { tier: user, ref: me }, owner: me }\nlocks: { plugins: { enforceCapabilities: true } }\nrules: []\n',
    );
    expect(await wstack.json(['plugin', 'list'])).toMatchObject([
      { state: 'failed', error: { code: 'plugin.capability_undeclared' } },
    ]);
  });
});
