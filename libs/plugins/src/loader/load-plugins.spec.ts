import { MetricsSink, PermissionPolicy, type Tool } from '@wrongstack/contracts';
import type { Plugin, PluginAPI } from '@wrongstack/kernel';
import { createTestingHost } from '../testing-host.js';
import { loadPlugins } from './load-plugins.js';
import { isToolModule, pluginOfModule } from './tool-module.js';

const greet: Tool = {
  name: 'greet',
  description: 'Greet someone',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  async execute(input: { name: string }) {
    return { msg: `Hi, ${input.name}` };
  },
};

function plugin(overrides: Partial<Plugin> = {}): Plugin {
  return { name: 'my-plugin', apiVersion: '^0.1.0', setup: () => undefined, ...overrides };
}

/** Registers one of everything. */
function busy(api: PluginAPI): void {
  api.tools.register(greet);
  api.slashCommands.register({ name: 'tenant', description: '', execute: async () => undefined });
  api.onEvent('tool.executed', () => undefined);
  api.onPattern('tool.*', () => undefined);
  api.events.on('error', () => undefined);
  api.pipelines.request.use({ name: 'inject', handler: (request, next) => next(request) });
  api.extensions.register({ name: 'hooks' });
  api.onConfigChange(() => undefined);
  api.providers.register({ type: 'my-llm', family: 'openai-compatible', create: () => ({}) as never });
  api.registerSystemPromptContributor(async () => []);
}

describe('loadPlugins', () => {
  it('sets up, shows declared beside used, and releases everything on unload, fifty times over', async () => {
    const host = createTestingHost();
    const before = host.registrations();
    for (let round = 0; round < 50; round += 1) {
      const loaded = await loadPlugins([plugin({ setup: busy, capabilities: { tools: true } })], { host });
      expect(loaded.list()).toMatchObject([
        {
          state: 'loaded',
          declared: ['tools'],
          used: ['tools', 'slashCommands', 'pipelines.request', 'hooks', 'providers'],
        },
      ]);
      expect(host.registrations()).toBe(before + 10);
      await loaded.unloadAll();
      expect(host.registrations()).toBe(before);
    }
  });

  it.each<[string, Partial<Plugin>, string]>([
    ['throws in setup', { setup: () => Promise.reject(new Error('no database')) }, 'plugin.setup_failed'],
    ['never settles', { setup: () => new Promise(() => undefined) }, 'plugin.setup_timeout'],
    ['wants another API', { apiVersion: '^9.0.0' }, 'plugin.api_version'],
    ['writes a range that is none', { apiVersion: 'latest and greatest' }, 'plugin.api_version'],
    ['has no setup', { setup: undefined }, 'plugin.invalid'],
    ['has a bad name', { name: '../evil' }, 'plugin.invalid'],
    ["calls itself as the host's own tools are called", { name: 'core' }, 'plugin.invalid'],
    ["calls itself as servers' tools are called", { name: 'mcp' }, 'plugin.invalid'],
    ['has a list that is none', { conflictsWith: 7 as never }, 'plugin.invalid'],
    ['depends on something that is no name', { dependsOn: [null as never] }, 'plugin.invalid'],
    ['declares capabilities as a list', { capabilities: ['tools'] as never }, 'plugin.invalid'],
    ['has a teardown that is none', { teardown: 'later' as never }, 'plugin.invalid'],
    ['has options that are none', { defaultConfig: 'ttl=3' as never }, 'plugin.invalid'],
    [
      'has options that do not fit',
      {
        defaultConfig: { ttl: 'long' },
        configSchema: { type: 'object', properties: { ttl: { type: 'integer' } } },
      },
      'plugin.config_invalid',
    ],
    [
      'binds what decides',
      { setup: (api) => void api.container.bind(PermissionPolicy, { value: {} as never }) },
      'plugin.sealed',
    ],
    [
      'takes a name that exists',
      { setup: (api) => void api.tools.register({ ...greet, name: 'bash' }) },
      'tool.exists',
    ],
    [
      'wraps what it may not',
      { setup: (api) => void api.tools.wrap('bash', (original) => ({ ...original, permission: 'deny' })) },
      'plugin.mutation_denied',
    ],
  ])('fails alone, with a code, when a plugin %s', async (_what, overrides, code) => {
    const host = createTestingHost();
    host.tools.register({ ...greet, name: 'bash', capabilities: ['shell.arbitrary'] });
    const before = host.registrations();
    const bad = plugin({
      ...overrides,
      ...(overrides.setup && {
        setup: async (api, options) => {
          busy(api);
          await overrides.setup?.(api, options);
        },
      }),
    });
    const loaded = await loadPlugins(
      [bad, plugin({ name: 'good', setup: (api) => void api.onEvent('error', () => undefined) })],
      {
        host,
        setupTimeoutMs: 30,
      },
    );
    expect(loaded.list().map(({ state, error }) => [state, error?.code])).toEqual([
      ['failed', code],
      ['loaded', undefined],
    ]);
    expect(host.registrations()).toBe(before + 1);
  });

  it('rolls back what a plugin registers after its deadline', async () => {
    const host = createTestingHost();
    let late: unknown;
    const slow = plugin({
      async setup(api, { signal }) {
        await new Promise((resolve) => signal.addEventListener('abort', () => setImmediate(resolve)));
        try {
          api.tools.register(greet);
        } catch (error) {
          late = error;
        }
      },
    });
    await loadPlugins([slow], { host, setupTimeoutMs: 10 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(host.tools.list()).toEqual([]);
    expect(late).toMatchObject({ code: 'plugin.unloaded' });
  });

  it('names the field of a plugin that throws when it is read, or answers with something else than a plugin', async () => {
    const host = createTestingHost();
    const throwing = {
      name: 'my-plugin',
      setup: () => undefined,
      get version(): string {
        throw new Error('no');
      },
    };
    const loaded = await loadPlugins([throwing, null as never, plugin({ name: 'good' })], { host });
    expect(loaded.list().map(({ name, state, error }) => [name, state, error?.message])).toEqual([
      ['my-plugin', 'failed', 'plugin my-plugin: version cannot be read: no'],
      ['(nameless)', 'failed', expect.stringContaining('cannot be read')],
      ['good', 'loaded', undefined],
    ]);
  });

  it('reads a plugin once: what its fields say later counts for nothing', async () => {
    const host = createTestingHost();
    let reads = 0;
    const changing = {
      setup: () => undefined,
      get name() {
        reads += 1;
        return reads === 1 ? 'my-plugin' : 'core';
      },
    };
    const loaded = await loadPlugins([changing], { host });
    expect(loaded.list()).toMatchObject([{ name: 'my-plugin', state: 'loaded' }]);
    expect(reads).toBe(1);
  });

  it('runs methods on the author’s own object', async () => {
    const host = createTestingHost();
    class Counting implements Plugin {
      readonly name = 'counting';
      #count = 0;
      setup(): void {
        this.#count += 1;
      }
      health() {
        return { ok: true, message: String(this.#count) };
      }
    }
    const loaded = await loadPlugins([new Counting()], { host });
    expect(await loaded.health()).toEqual([{ name: 'counting', ok: true, message: '1' }]);
  });

  it('puts down what registers after its setup, and takes it: the registries do', async () => {
    const host = createTestingHost();
    let later: () => void = () => undefined;
    const loaded = await loadPlugins(
      [
        plugin({
          capabilities: { tools: true },
          setup(api) {
            later = () => void api.tools.register(greet);
          },
        }),
      ],
      { host },
    );
    expect(loaded.list()[0]?.faults).toEqual([]);
    later();
    expect(loaded.list()[0]?.faults).toMatchObject([{ code: 'plugin.late_registration', times: 1 }]);
    expect(host.tools.list()).toHaveLength(1);
    await loaded.unloadAll();
    expect(host.tools.list()).toEqual([]);
  });

  it('does not load what depends on a plugin whose setup failed', async () => {
    const host = createTestingHost();
    const loaded = await loadPlugins(
      [
        plugin({ name: 'a', setup: () => Promise.reject(new Error('down')) }),
        plugin({ name: 'b', dependsOn: ['a'] }),
      ],
      { host },
    );
    expect(loaded.list().map(({ error }) => error?.code)).toEqual([
      'plugin.setup_failed',
      'plugin.dependency_failed',
    ]);
  });

  it('warns once a surface by default, and throws in strict mode', async () => {
    const host = createTestingHost();
    const undeclared = plugin({
      setup(api) {
        api.tools.register(greet);
        api.tools.register({ ...greet, name: 'greet2' });
      },
    });
    await (await loadPlugins([undeclared], { host })).unloadAll();
    expect(host.lines.filter((line) => line.includes('uses tools without declaring'))).toHaveLength(1);
    const strict = await loadPlugins([undeclared], { host, enforceCapabilities: true });
    expect(strict.list()).toMatchObject([
      { state: 'failed', error: { code: 'plugin.capability_undeclared' } },
    ]);
    expect(host.tools.list()).toEqual([]);
  });

  it('lays extensions over plugin options over defaults, and shows the result in a frozen config', async () => {
    const host = createTestingHost({
      config: {
        plugins: { 'my-plugin': { options: { ttl: 2, deep: { a: 1 } } } },
        extensions: { 'my-plugin': { ttl: 3 } },
      },
    });
    let seen: PluginAPI['config'] | undefined;
    await loadPlugins(
      [plugin({ defaultConfig: { ttl: 1, max: 100 }, setup: (api) => void (seen = api.config) })],
      { host },
    );
    expect(seen?.extensions['my-plugin']).toEqual({ ttl: 3, max: 100, deep: { a: 1 } });
    expect(() => Object.assign(seen ?? {}, { provider: 'mine' })).toThrow(TypeError);
  });

  it('takes options from the list form of plugins too', async () => {
    const host = createTestingHost({
      config: { plugins: [{ name: 'my-plugin', options: { tenant: 'x' } }] },
    });
    let seen: unknown;
    await loadPlugins([plugin({ setup: (api) => void (seen = api.config.extensions['my-plugin']) })], {
      host,
    });
    expect(seen).toEqual({ tenant: 'x' });
  });

  it('keeps the metrics of two plugins apart, dots in their names or not', async () => {
    const counting = (name: string, metric: string): Plugin => ({
      name,
      capabilities: {},
      setup: (api) => api.metrics.counter(metric, 1),
    });
    const host = createTestingHost();
    await loadPlugins([counting('a', 'b.c'), counting('a.b', 'c')], { host });
    expect(host.metrics.samples().map(({ name, value }) => [name, value])).toEqual([
      ['plugin.a.b.c', 1],
      ['plugin.a:b.c', 1],
    ]);
  });

  it('prefixes metrics, tags log lines, refuses built-in session entries and events', async () => {
    const host = createTestingHost();
    await loadPlugins(
      [
        plugin({
          async setup(api) {
            api.metrics.counter('cache_hits', 1, { tier: 'l1' });
            api.log.info('hello', { n: 1 });
            await api.session.append({ type: 'my-plugin:hit', ts: '2026-01-01T00:00:00Z', key: 'k' });
            const ts = '2026-01-01T00:00:00Z';
            await expect(api.session.append({ type: 'tool_result', ts })).rejects.toMatchObject({
              code: 'plugin.sealed',
            });
            for (const entry of [
              { type: 'my-plugin:hit' },
              { type: 'my-plugin:hit', ts: 'soon' },
              { ts },
              null,
            ])
              await expect(api.session.append(entry as never)).rejects.toMatchObject({
                code: 'session.invalid',
              });
            expect(() => api.emitCustom('tool.decided', {})).toThrow('built in');
            expect(() => api.pipelines.request.setErrorHandler(undefined)).toThrow('belongs to the host');
          },
        }),
      ],
      { host },
    );
    expect(host.metrics.samples()).toMatchObject([
      { name: 'plugin.my-plugin.cache_hits', labels: { tier: 'l1' } },
    ]);
    expect(host.lines).toContain('info hello {"n":1,"plugin":"my-plugin"}');
    expect(host.entries).toEqual([{ type: 'my-plugin:hit', ts: '2026-01-01T00:00:00Z', key: 'k' }]);
  });

  it('lets plugins bind their own keys and what is not sealed, until they are unloaded', async () => {
    const host = createTestingHost();
    const sink = host.metrics;
    const loaded = await loadPlugins(
      [plugin({ setup: (api) => void api.container.bind(MetricsSink, { value: sink }) })],
      { host },
    );
    expect(host.container.resolve(MetricsSink)).toBe(sink);
    await loaded.unloadAll();
    expect(host.container.has(MetricsSink)).toBe(false);
  });

  it('tears down in reverse order, within the deadline, and past a teardown that throws', async () => {
    const host = createTestingHost();
    const order: string[] = [];
    const loaded = await loadPlugins(
      [
        plugin({ name: 'a', teardown: () => void order.push('a') }),
        plugin({ name: 'b', teardown: () => Promise.reject(new Error('stuck')) }),
        plugin({ name: 'c', teardown: () => new Promise(() => order.push('c')) }),
      ],
      { host, teardownTimeoutMs: 10 },
    );
    await loaded.unloadAll();
    expect(order).toEqual(['c', 'a']);
    expect(host.lines.filter((line) => line.includes('teardown failed'))).toHaveLength(2);
    expect(loaded.list().map(({ state }) => state)).toEqual(['unloaded', 'unloaded', 'unloaded']);
  });

  it('reports health, and a health check that throws as unhealthy', async () => {
    const host = createTestingHost();
    const loaded = await loadPlugins(
      [
        plugin({ name: 'well', health: async () => ({ ok: true, message: 'Redis: connected' }) }),
        plugin({ name: 'ill', health: () => Promise.reject(new Error('gone')) }),
        plugin({ name: 'silent' }),
      ],
      { host },
    );
    await expect(loaded.health()).resolves.toEqual([
      { name: 'well', ok: true, message: 'Redis: connected' },
      { name: 'ill', ok: false, message: 'gone' },
      { name: 'silent', ok: true },
    ]);
  });

  it('loads a module in the cookbook’s form', async () => {
    const host = createTestingHost();
    const module = {
      name: 'my-tool',
      inject: ['tools'],
      apply: (ctx: PluginAPI) => void ctx.tools.register(greet),
    };
    expect(isToolModule(module)).toBe(true);
    const loaded = await loadPlugins([pluginOfModule(module)], { host, enforceCapabilities: true });
    expect(host.tools.get('greet')?.owner).toBe('my-tool');
    await loaded.unload('my-tool');
    expect(host.tools.get('greet')).toBeUndefined();
  });
});
