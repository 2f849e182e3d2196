import { ApprovalChannel, AuditLog, PermissionPolicy, type Tool } from '@wrongstack/contracts';
import {
  ConfigStore,
  DEFAULT_CONFIG,
  EventBus,
  type Plugin,
  type PluginAPI,
  SlashCommandRegistry,
  TOKENS,
  ToolHooks,
  ToolRegistry,
} from '@wrongstack/kernel';
import { loadPlugins } from '../loader/load-plugins.js';
import { createTestingHost, type TestingHost } from '../testing-host.js';

const tool = (name: string): Tool => ({
  name,
  description: '',
  inputSchema: { type: 'object' },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  execute: async () => 'fine',
});

/** What a plugin finds in the container is its own view of the host, whatever class it is of. */
describe('container.resolve of a plugin', () => {
  let host: TestingHost;
  let hooks: ToolHooks;
  let config: ConfigStore;
  const recorded: unknown[] = [];
  beforeEach(() => {
    config = new ConfigStore({ ...DEFAULT_CONFIG, extensions: { p: { ttl: 1 } } });
    host = { ...createTestingHost(), config };
    hooks = new ToolHooks();
    host.tools.register({ ...tool('bash'), permission: 'confirm', capabilities: ['shell.arbitrary'] });
    host.slashCommands.register({
      name: 'yolo',
      description: '',
      execute: async () => void recorded.push('yolo'),
    });
    const { container } = host;
    container.bind(TOKENS.ToolRegistry, { value: host.tools });
    container.bind(TOKENS.EventBus, { value: host.events });
    container.bind(TOKENS.Pipelines, { value: host.pipelines });
    container.bind(TOKENS.SlashCommands, { value: host.slashCommands });
    container.bind(TOKENS.LifecycleHooks, { value: host.lifecycle });
    container.bind(TOKENS.ConfigStore, { value: config });
    container.bind(TOKENS.ToolHooks, { value: hooks });
    container.bind(AuditLog, {
      value: { append: async (entry: unknown) => void recorded.push(entry) },
    });
    container.bind(ApprovalChannel, {
      value: { ask: async () => ({ kind: 'no' }), use: () => undefined } as never,
    });
    container.bind(PermissionPolicy, {
      value: { decide: async () => 'decided', remember: async () => void recorded.push('grant') } as never,
    });
  });

  const load = (setup: Plugin['setup'], more: Partial<Plugin> = {}) =>
    loadPlugins([{ name: 'p', setup, ...more }], { host });

  it('gives the registry of tools under the plugin’s name, with strict registration: all of them or none', async () => {
    let thrown: unknown;
    const loaded = await load((api) => {
      const tools = api.container.resolve(TOKENS.ToolRegistry);
      expect(tools).toBeInstanceOf(ToolRegistry);
      expect(tools.registerAll([tool('a'), tool('bash')])).toEqual(['a']);
      tools.registerAllOrThrow([tool('b'), tool('c')]);
      try {
        tools.registerAllOrThrow([tool('d'), tool('bash')]);
      } catch (error) {
        thrown = error;
      }
      expect(tools.validate('a', 7)).toEqual(['/: must be object']);
    });
    expect(loaded.list()).toMatchObject([{ state: 'loaded', used: ['tools'] }]);
    expect(thrown).toMatchObject({ code: 'tool.exists' });
    expect(host.tools.list().map(({ name, owner }) => `${owner} ${name}`)).toEqual([
      'core bash',
      'p a',
      'p b',
      'p c',
    ]);
    await loaded.unloadAll();
    expect(host.tools.list()).toHaveLength(1);
  });

  it.each<[string, (api: PluginAPI) => unknown, string]>([
    [
      'unregister',
      (api) => api.container.resolve(TOKENS.ToolRegistry).unregister('bash', 'core'),
      'mutation_denied',
    ],
    [
      'wrap',
      (api) => api.container.resolve(TOKENS.ToolRegistry).wrap('bash', (one) => one, 'core'),
      'mutation_denied',
    ],
    [
      'configure',
      (api) => api.container.resolve(TOKENS.ConfigStore).update({ provider: { model: 'x' } }),
      'sealed',
    ],
    ['record', (api) => api.container.resolve(AuditLog).append({} as never), 'sealed'],
    [
      'trust',
      (api) => api.container.resolve(PermissionPolicy).remember({} as never, {} as never, 'allow'),
      'sealed',
    ],
    [
      'replace who is asked',
      (api) => (api.container.resolve(ApprovalChannel) as never as { use(): void }).use(),
      'setup_failed',
    ],
    [
      'pose as the kernel',
      (api) => api.container.resolve(TOKENS.EventBus).emit('tool.decided', {} as never),
      'events.reserved',
    ],
    [
      'type a command in the person’s place',
      (api) => api.slashCommands.get('yolo')?.execute({ args: ['on'], ctx: {} as never }),
      'sealed',
    ],
    [
      'type one that it resolved',
      (api) =>
        api.container
          .resolve(TOKENS.SlashCommands)
          .list()[0]
          ?.execute({ args: [], ctx: {} as never }),
      'sealed',
    ],
    [
      'change the error boundary',
      (api) => api.container.resolve(TOKENS.Pipelines).request.setErrorHandler(undefined),
      'sealed',
    ],
    ['change it by name', (api) => api.pipelines.get('request')?.setErrorHandler(undefined), 'sealed'],
    ['change it in the list', (api) => api.pipelines.all()[0]?.setErrorHandler(undefined), 'sealed'],
  ])('lets no plugin %s', async (_what, act, code) => {
    const loaded = await load(async (api) => {
      await act(api);
    });
    expect(loaded.list()).toMatchObject([
      { state: 'failed', error: { code: expect.stringContaining(code) } },
    ]);
    expect([host.tools.list().length, recorded, config.current.provider.model]).toEqual([
      1,
      [],
      DEFAULT_CONFIG.provider.model,
    ]);
  });

  it('takes back what was registered that way', async () => {
    const before = host.registrations();
    const loaded = await load(
      (api) => {
        const bus = api.container.resolve(TOKENS.EventBus);
        expect(bus).toBeInstanceOf(EventBus);
        bus.on('error', () => undefined);
        bus.onPattern('*', () => undefined);
        const commands = api.container.resolve(TOKENS.SlashCommands);
        expect(commands).toBeInstanceOf(SlashCommandRegistry);
        commands.register({ name: 'x', description: '', execute: async () => undefined });
        api.container.resolve(TOKENS.LifecycleHooks).register({ name: 'h', owner: 'core' });
        api.container.resolve(TOKENS.Pipelines).request.use({ name: 'm', handler: (one, next) => next(one) });
        api.container.resolve(TOKENS.ToolHooks).preExecute(() => undefined, { owner: 'core' });
      },
      { capabilities: { slashCommands: true, hooks: true, pipelines: ['request'] } },
    );
    expect(loaded.list()).toMatchObject([
      { state: 'loaded', used: ['slashCommands', 'hooks', 'pipelines.request'] },
    ]);
    expect(hooks.list()).toEqual([{ seam: 'tools/pre-execute', owner: 'p' }]);
    expect(host.registrations()).toBe(before + 5);
    await loaded.unloadAll();
    expect([host.registrations(), hooks.list()]).toEqual([before, []]);
  });

  it('tells of changes to the configuration by watch, until it is unloaded', async () => {
    const seen: unknown[] = [];
    const loaded = await load(
      (api) => {
        const store = api.container.resolve(TOKENS.ConfigStore);
        seen.push(store.current.extensions['p']);
        store.watch((next, previous) => seen.push([previous.extensions['p'], next.extensions['p']]));
      },
      { defaultConfig: { most: 9 } },
    );
    config.update({ extensions: { p: { ttl: 2 } } });
    await loaded.unloadAll();
    config.update({ extensions: { p: { ttl: 3 } } });
    expect(seen).toEqual([
      { most: 9, ttl: 1 },
      [
        { most: 9, ttl: 1 },
        { most: 9, ttl: 2 },
      ],
    ]);
  });

  it('asks what decides, as anybody may', async () => {
    let answer: unknown;
    await load(async (api) => {
      answer = await api.container.resolve(PermissionPolicy).decide({} as never);
    });
    expect(answer).toBe('decided');
  });
});
