import type { Tool } from '@wrongstack/contracts';
import { Container, createToken, type Plugin, TOKENS, ToolHooks } from '@wrongstack/kernel';
import { loadPlugins } from '../loader/load-plugins.js';
import { createTestingHost, type TestingHost } from '../testing-host.js';

// What a plugin in plain JavaScript may do with the API, which types would have refused.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the point of each line is what the types do not allow
type Anything = any;
type Act = (api: Anything) => unknown;

const TOOL: Tool = {
  name: 'mine',
  description: '',
  inputSchema: { type: 'object' },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  execute: async () => 'fine',
};
const circular: Record<string, unknown> = {};
circular['self'] = circular;
const throwing = (field: string): object =>
  Object.defineProperty({ name: 'x' }, field, {
    enumerable: true,
    get: () => {
      throw new Error('not today');
    },
  });
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** What is done, and what the message says of it. */
const WRONG: readonly (readonly [string, Act])[] = [
  ['api.onEvent: handler must be a function, and is undefined', (api) => api.onEvent('tool.executed')],
  [
    'api.onEvent: name must be a text that is not empty, and is symbol',
    (api) => api.onEvent(Symbol('x'), () => 1),
  ],
  [
    'api.onEvent: name must be a text that is not empty, and is an empty text',
    (api) => api.onEvent('', () => 1),
  ],
  ['api.onEvent: handler must be a function, and is object', (api) => api.onEvent('x', { handleEvent() {} })],
  [
    'api.onPattern: pattern must be a text that is not empty, and is object',
    (api) => api.onPattern(/tool/, () => 1),
  ],
  ['api.onPattern: handler must be a function, and is null', (api) => api.onPattern('tool.*', null)],
  ['api.emitCustom: event must be a text that is not empty, and is undefined', (api) => api.emitCustom()],
  ['api.onConfigChange: handler must be a function, and is a list', (api) => api.onConfigChange([])],
  [
    'api.registerSystemPromptContributor: contributor must be a function, and is string',
    (api) => api.registerSystemPromptContributor('be nice'),
  ],
  ['api.events.on: handler must be a function, and is number', (api) => api.events.on('x', 7)],
  [
    'api.events.once: name must be a text that is not empty, and is number',
    (api) => api.events.once(7, () => 1),
  ],
  ['api.events.onPattern: handler must be a function, and is undefined', (api) => api.events.onPattern('*')],
  ['api.events.emitCustom: event must be', (api) => api.events.emitCustom({})],
  ['api.tools.register: tool must be an object, and is undefined', (api) => api.tools.register()],
  ['api.tools.register: tool must be an object, and is a list', (api) => api.tools.register([TOOL])],
  [
    'api.tools.registerAll: tools must be a list of tools, and is object',
    (api) => api.tools.registerAll(TOOL),
  ],
  [
    'api.tools.registerAll: tools must be a list of tools, and is a list',
    (api) => api.tools.registerAll([TOOL, null]),
  ],
  [
    'api.tools.registerAll: tools must be a list of tools, and is null',
    (api) => api.tools.registerAll(null, 'p'),
  ],
  [
    'api.tools.wrap: wrapper must be a function, and is object',
    (api) => api.tools.wrap('bash', { permission: 'deny' }),
  ],
  [
    'api.tools.wrap: name must be a text that is not empty, and is symbol',
    (api) => api.tools.wrap(Symbol('bash'), (one: unknown) => one),
  ],
  ['api.tools.unregister: name must be', (api) => api.tools.unregister({ name: 'bash' })],
  [
    'api.tools.registerAllOrThrow: tools must be a list',
    (api) => api.container.resolve(TOKENS.ToolRegistry).registerAllOrThrow(TOOL),
  ],
  [
    'api.providers.register: factory must be an object, and is function',
    (api) => api.providers.register(() => 1),
  ],
  ['api.providers.register: factory.type must be', (api) => api.providers.register({ create: () => 1 })],
  [
    'api.providers.register: factory.create must be a function, and is undefined',
    (api) => api.providers.register({ type: 'mine' }),
  ],
  ['api.providers.create: type must be', (api) => api.providers.create(null, {})],
  ['api.mcp.start: server must be an object, and is string', (api) => api.mcp.start('npx my-server')],
  ['api.mcp.start: server.name must be', (api) => api.mcp.start({ command: 'npx' })],
  ['api.mcp.stop: name must be', (api) => api.mcp.stop()],
  ['api.mcp.restart: name must be', (api) => api.mcp.restart(7n)],
  [
    'api.slashCommands.register: command must be an object, and is undefined',
    (api) => api.slashCommands.register(),
  ],
  ['api.slashCommands.register: command.name must be', (api) => api.slashCommands.register({ execute() {} })],
  [
    'api.slashCommands.register: command.execute must be a function, and is undefined',
    (api) => api.slashCommands.register({ name: 'x' }),
  ],
  [
    'api.slashCommands.register: command.execute cannot be read: not today',
    (api) => api.slashCommands.register(throwing('execute')),
  ],
  ['api.slashCommands.unregister: name must be', (api) => api.slashCommands.unregister(Symbol('x'))],
  [
    'api.extensions.register: hooks must be an object, and is function',
    (api) => api.extensions.register(() => 1),
  ],
  ['api.extensions.register: hooks.name must be', (api) => api.extensions.register({ beforeRun() {} })],
  [
    'api.extensions.register: hooks.onError must be a function, or left out, and is string',
    (api) => api.extensions.register({ name: 'h', onError: 'retry' }),
  ],
  ['api.extensions.register: hooks cannot be read', (api) => api.extensions.register(revoked())],
  [
    'api.pipelines.request.use: middleware must be an object, and is function',
    (api) => api.pipelines.request.use((value: unknown) => value),
  ],
  [
    'api.pipelines.toolCall.use: middleware.handler must be a function, and is undefined',
    (api) => api.pipelines.toolCall.use({ name: 'm' }),
  ],
  [
    'api.pipelines.request.use: middleware.name must be',
    (api) => api.container.resolve(TOKENS.Pipelines).request.use({ handler() {} }),
  ],
  ['api.pipelines.create: name must be', (api) => api.pipelines.create()],
  [
    'api.container.bind: key must be a token or a class, and is string',
    (api) => api.container.bind('db', { value: 1 }),
  ],
  [
    'api.container.bind: binding must be { value } or { factory }, a function, and is object',
    (api) => api.container.bind(createToken('db'), { factory: 7 }),
  ],
  ['api.container.bind: binding must be', (api) => api.container.bind(createToken('db'))],
  [
    'api.container.resolve: key must be a token or a class, and is undefined',
    (api) => api.container.resolve(undefined),
  ],
  ['api.container.has: key must be', (api) => api.container.has(null)],
  [
    'api.metrics.counter: name must be a text that is not empty, and is symbol',
    (api) => api.metrics.counter(Symbol('hits')),
  ],
  [
    'api.metrics.counter: value must be a number, or left out, and is string',
    (api) => api.metrics.counter('hits', '1'),
  ],
  [
    'api.metrics.counter: labels must be an object of texts, numbers and booleans, or left out, and is object',
    (api) => api.metrics.counter('hits', 1, circular),
  ],
  ['api.metrics.histogram: value must be a number, and is undefined', (api) => api.metrics.histogram('ms')],
  ['api.metrics.gauge: value must be a number, and is null', (api) => api.metrics.gauge('size', null)],
  ['api.metrics.gauge: labels must be', (api) => api.metrics.gauge('size', 1, ['a'])],
  [
    'ToolHooks.preExecute: hook must be a function, and is undefined',
    (api) => api.container.resolve(TOKENS.ToolHooks).preExecute(),
  ],
  [
    'ToolHooks.preExecute: options.timeoutMs must be',
    (api) => api.container.resolve(TOKENS.ToolHooks).preExecute(() => 1, { timeoutMs: Infinity }),
  ],
];

describe('what a plugin hands to its API', () => {
  let host: TestingHost;
  beforeEach(() => {
    host = createTestingHost();
    const container: Container = host.container;
    container.bind(TOKENS.ToolRegistry, { value: host.tools });
    container.bind(TOKENS.Pipelines, { value: host.pipelines });
    container.bind(TOKENS.ToolHooks, { value: new ToolHooks() });
    host.tools.register({ ...TOOL, name: 'bash' });
  });
  const load = (setup: Act, more: Partial<Plugin> = {}) =>
    loadPlugins(
      [
        {
          name: 'p',
          ...more,
          setup: async (api) => {
            await setup(api);
          },
        },
      ],
      { host },
    );

  it.each(WRONG)('is looked at before the host uses it: %s', async (says, act) => {
    const before = host.registrations();
    const [status] = (await load(act)).list();
    expect(status).toMatchObject({ state: 'failed', error: { code: 'plugin.argument_invalid' } });
    expect(status?.error?.message).toContain(`plugin p: ${says}`);
    expect(host.registrations()).toBe(before);
  });

  it.each(WRONG)('is thrown to it, so that it may go on without: %s', async (_says, act) => {
    const loaded = await load(async (api) => {
      try {
        await act(api);
      } catch {
        api.tools.register(TOOL);
      }
    });
    expect(loaded.list()).toMatchObject([{ state: 'loaded' }]);
    expect(host.tools.get('mine')).toBeDefined();
  });

  it.each<[string, Act, string]>([
    [
      'a tool whose name is a symbol',
      (api) => api.tools.register({ ...TOOL, name: Symbol('x') }),
      'name must match',
    ],
    ['a tool without a name', (api) => api.tools.register({ ...TOOL, name: undefined }), 'name must match'],
    [
      'a tool without execute',
      (api) => api.tools.register({ ...TOOL, execute: undefined }),
      'execute must be a function',
    ],
    [
      'a tool whose cleanup is no function',
      (api) => api.tools.register({ ...TOOL, cleanup: 'rm' }),
      'cleanup must be a function',
    ],
    [
      'a tool whose describeCall is no function',
      (api) => api.tools.register({ ...TOOL, describeCall: {} }),
      'describeCall must be a function',
    ],
    [
      'a circular schema',
      (api) => api.tools.register({ ...TOOL, inputSchema: circular }),
      'must be plain JSON',
    ],
  ])('%s is refused by the registry, by field', async (_what, act, says) => {
    expect((await load(act)).list()).toMatchObject([
      { state: 'failed', error: { code: 'tool.invalid', message: expect.stringContaining(says) } },
    ]);
    expect(host.tools.list()).toHaveLength(1);
  });

  it.each<[string, Act]>([
    ['a wrapper that returns nothing', (api) => api.tools.wrap('bash', () => undefined)],
    ['a wrapper that returns a text', (api) => api.tools.wrap('bash', () => 'bash')],
  ])('%s leaves the tool as it was', async (_what, act) => {
    const official = createTestingHost({ authority: () => ({ official: true, capabilities: undefined }) });
    official.tools.register({ ...TOOL, name: 'bash' });
    const before = official.tools.get('bash');
    const loaded = await loadPlugins([{ name: 'p', setup: (api) => void act(api) }], { host: official });
    expect(loaded.list()).toMatchObject([{ state: 'failed', error: { code: 'tool.invalid' } }]);
    expect(official.tools.get('bash')).toBe(before);
  });

  it.each<[string, unknown]>([
    ['a circle', { type: 'p:x', ts: '2026-01-01T00:00:00Z', circular }],
    ['a bigint', { type: 'p:x', ts: '2026-01-01T00:00:00Z', n: 1n }],
    ['a getter that throws', { type: 'p:x', ts: '2026-01-01T00:00:00Z', inner: throwing('x') }],
    ['nothing', undefined],
    ['a list', []],
    ['no time', { type: 'p:x' }],
    ['a symbol for a type', { type: Symbol('x'), ts: '2026-01-01T00:00:00Z' }],
  ])('as a session entry with %s is refused and not written', async (_what, entry) => {
    expect((await load((api) => api.session.append(entry))).list()).toMatchObject([
      { state: 'failed', error: { code: 'session.invalid' } },
    ]);
    expect(host.entries).toEqual([]);
  });

  it('is what it was at that moment: a session entry changes no more', async () => {
    const entry = { type: 'p:x', ts: '2026-01-01T00:00:00Z', list: [1] };
    await load(async (api) => {
      await api.session.append(entry);
      entry.type = 'tool_result';
      entry.list.push(2);
    });
    expect(host.entries).toEqual([{ type: 'p:x', ts: '2026-01-01T00:00:00Z', list: [1] }]);
  });

  it('may be of a class, whose methods keep their object', async () => {
    const seen: string[] = [];
    class Hooks {
      readonly #mine = 'mine';
      name = 'h';
      async beforeRun(): Promise<void> {
        seen.push(this.#mine);
      }
      handler(value: unknown, next: (value: unknown) => unknown): unknown {
        seen.push(this.#mine);
        return next(value);
      }
    }
    const loaded = await load((api) => {
      api.extensions.register(new Hooks());
      api.pipelines.assistantOutput.use(new Hooks());
    });
    await host.lifecycle.beforeRun({} as never, 'hi');
    expect(await host.pipelines.assistantOutput.run('text')).toBe('text');
    expect([loaded.list()[0]?.state, seen]).toEqual(['loaded', ['mine', 'mine']]);
  });

  it('shows it no factory of somebody else that it could change', async () => {
    host.providers.register({ type: 'core', family: 'openai', create: () => 'the real one' as never });
    await load((api) => {
      for (const factory of api.providers.list())
        expect(() => (factory.create = () => 'another')).toThrow(TypeError);
    });
    expect(host.providers.create('core', {})).toBe('the real one');
  });
});
