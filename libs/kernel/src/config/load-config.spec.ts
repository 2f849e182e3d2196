import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFields, configJsonSchema } from './config-document.js';
import { checkLayer } from './config-layer.js';
import { ConfigStore } from './config-store.js';
import { DEFAULT_CONFIG } from './defaults.js';
import { loadConfig } from './load-config.js';

describe('loading the configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  const userFile = join(folder, 'user.json');
  const projectFile = join(folder, 'project.json');
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => {
    rmSync(userFile, { force: true });
    rmSync(projectFile, { force: true });
  });
  const user = (text: unknown) =>
    writeFileSync(userFile, typeof text === 'string' ? text : JSON.stringify(text));
  const project = (value: unknown) =>
    writeFileSync(projectFile, typeof value === 'string' ? value : JSON.stringify(value));
  const load = (part: Partial<Parameters<typeof loadConfig>[0]> = {}) =>
    loadConfig({ userFile, projectFile, ...part });

  it('has defaults that fit its own schema', async () => {
    expect((await load()).config).toEqual(DEFAULT_CONFIG);
    expect(checkLayer(DEFAULT_CONFIG, 'defaults')).toBe(DEFAULT_CONFIG);
  });

  it.each([...Object.keys(DEFAULT_CONFIG), '$schema', 'mcp', 'nope'])(
    'looks at %s also where nothing else is there, and at the rest beside it',
    (section) => {
      const refused = (layer: Record<string, unknown>): unknown => {
        try {
          return checkLayer(layer, 'config.json');
        } catch (error) {
          return String(error);
        }
      };
      expect(refused({ [section]: 5 })).toContain(section);
      expect(refused({ ui: { color: 'never' }, [section]: 5 })).toContain(section);
      expect(refused({ ui: { color: 'blue' }, nope: 1 })).toMatch(/\(and 1 more\)/);
    },
  );

  it('lets the command line win over the environment, that over the file, that over the defaults', async () => {
    user({
      provider: { type: 'openai', model: 'a' },
      agent: { maxRetries: 1 },
      tools: { bash: { timeoutMs: 1 } },
    });
    const { config } = await load({
      environment: { provider: { model: 'b' }, log: { level: 'debug' } },
      overrides: { provider: { model: 'c' }, tools: { bash: { permission: 'deny' } } },
    });
    expect(config.provider).toEqual({ ...DEFAULT_CONFIG.provider, type: 'openai', model: 'c' });
    expect(config.agent).toEqual({ ...DEFAULT_CONFIG.agent, maxRetries: 1 });
    expect(config.log.level).toBe('debug');
    expect(config.tools).toEqual({ bash: { timeoutMs: 1, permission: 'deny' } });
    expect(Object.isFrozen(config.tools['bash'])).toBe(true);
  });

  it('takes a value that looks like a flag as a value', async () => {
    const { config } = await load({ overrides: { agent: { instructions: '--settings=/evil.json' } } });
    expect(config.agent.instructions).toBe('--settings=/evil.json');
  });

  describe('a repository’s own file', () => {
    it('tightens tools and lowers the iteration limit, and nothing else; the rest is named', async () => {
      user({ tools: { bash: { permission: 'deny', timeoutMs: 100 } } });
      project({
        $schema: 'x',
        provider: { baseUrl: 'http://127.0.0.1:1', type: 'evil' },
        agent: { maxIterations: 5, instructions: 'obey', maxCostUsd: 1000 },
        tools: {
          bash: { permission: 'confirm', riskTier: 'destructive', timeoutMs: 500, maxOutputBytes: 10 },
          read: { permission: 'auto', riskTier: 'safe', path: 'x' },
          edit: { permission: 'confirm' },
        },
        plugins: { evil: { path: './evil' } },
        policy: { profile: 'balanced' },
        hooks: { a: 1 },
        mcp: [],
        tasks: { driver: 'redis' },
      });
      const { config, ignored } = await load();
      expect(config.tools).toEqual({
        bash: { permission: 'deny', timeoutMs: 100, riskTier: 'destructive', maxOutputBytes: 10 },
        edit: { permission: 'confirm' },
      });
      expect(config.agent.maxIterations).toBe(5);
      expect({ ...config, agent: DEFAULT_CONFIG.agent, tools: {} }).toEqual(DEFAULT_CONFIG);
      expect([...ignored].sort()).toEqual(
        [
          'agent.instructions',
          'agent.maxCostUsd',
          'hooks.a',
          'mcp',
          'plugins.evil',
          'policy.profile',
          'provider.baseUrl',
          'provider.type',
          'tasks.driver',
          'tools.bash.permission',
          'tools.bash.timeoutMs',
          'tools.read.path',
          'tools.read.permission',
          'tools.read.riskTier',
        ].sort(),
      );
    });

    it('cannot raise the limit', async () => {
      project({ agent: { maxIterations: 100_000 } });
      const { config, ignored } = await load();
      expect(config).toEqual(DEFAULT_CONFIG);
      expect(ignored).toEqual(['agent.maxIterations']);
    });

    it.each<[string, unknown, string]>([
      [
        'a word that is none of the scale',
        { tools: { bash: { permission: 'Deny' } } },
        'tools.bash.permission',
      ],
      ['null for a word', { tools: { bash: { permission: null } } }, 'tools.bash.permission'],
      ['a risk that there is not', { tools: { bash: { riskTier: 'high' } } }, 'tools.bash.riskTier'],
      ['a limit in words', { tools: { bash: { timeoutMs: '5' } } }, 'tools.bash.timeoutMs'],
      ['a limit of nothing', { tools: { bash: { maxOutputBytes: 0 } } }, 'tools.bash.maxOutputBytes'],
      ['a limit below nothing', { agent: { maxIterations: -1 } }, 'agent.maxIterations'],
      ['a limit without end', '{"agent":{"maxIterations":1e999}}', 'agent.maxIterations'],
      ['a word where settings are meant', { tools: { read: 'deny' } }, 'tools.read'],
      ['nothing where settings are meant', { tools: { read: null } }, 'tools.read'],
      ['no tools', { tools: null }, 'tools'],
      ['a list of tools', { tools: ['bash'] }, 'tools'],
      ['no limits', { agent: null }, 'agent'],
      ['a name that no tool can have', { tools: { Bash: { permission: 'deny' } } }, 'tools.Bash'],
      ['a section in another case', { Tools: { bash: { permission: 'deny' } } }, 'tools'],
      ['a section with a slip', { tool: { bash: { permission: 'deny' } } }, 'tools'],
      ['a setting with a slip', { tools: { bash: { permision: 'deny' } } }, 'tools.bash.permission'],
      ['a setting in other writing', { tools: { bash: { 'timeout-ms': 5 } } }, 'tools.bash.timeoutMs'],
      ['a limit in another case', { agent: { maxiterations: 5 } }, 'agent.maxIterations'],
      ['nothing at all', 'null', 'must be a JSON object'],
      ['one key twice', '{"tools":{"bash":{"permission":"deny"},"bash":{}}}', 'tools.bash'],
      ['a prototype', '{"tools":{"__proto__":{"permission":"deny"}}}', 'tools.__proto__'],
    ])('that means to tighten and does not say so is refused: %s', async (_what, text, named) => {
      project(text);
      const failure = await load().catch((error: unknown) => error as Error & { code: string });
      expect(failure).toMatchObject({ code: 'config.invalid', message: expect.stringContaining(named) });
      expect((failure as Error).message).toContain(projectFile);
    });
  });

  describe('what is broken is an error of one line that names the place', () => {
    it.each([
      ['text that is no JSON', '{\n  "provider": {,}\n}', /user\.json:2:\d+: not valid JSON/],
      ['a file that ends too early', '{"provider": ', /user\.json:1:\d+: not valid JSON/],
      ['an empty file', '', /user\.json:1:1: not valid JSON/],
      ['a list', '[]', /user\.json: .*must be object/],
      ['an unknown key', { provder: {} }, /user\.json: \/: unknown field "provder"/],
      [
        'an unknown key inside',
        { agent: { maxIteration: 3 } },
        /user\.json: \/agent: unknown field "maxIteration"/,
      ],
      ['a wrong type', { agent: { maxIterations: 'many' } }, /\/agent\/maxIterations: must be integer/],
      [
        'a setting that would loosen',
        { tools: { bash: { permission: 'auto' } } },
        /\/tools\/bash\/permission: must be one of/,
      ],
      [
        'a key that stands twice',
        '{"tools":{"bash":{"permission":"deny"},"bash":{}}}',
        /tools\.bash stands twice/,
      ],
      ['nothing', 'null', /user\.json: .*must be object/],
      [
        'a name that no tool can have',
        { tools: { Bash: { permission: 'deny' } } },
        /"Bash" cannot be a name/,
      ],
      [
        'a __proto__ key deep in a plugin’s options',
        '{"plugins":{"a":{"options":{"__proto__":1}}}}',
        /__proto__/,
      ],
      ['a __proto__ key', '{"__proto__":{"a":1}}', /__proto__/],
      [
        'a number without end',
        '{"agent":{"maxIterations":1e999}}',
        /\/agent\/maxIterations: must be integer/,
      ],
      ['an address that is none', { provider: { baseUrl: 'file:///etc' } }, /\/provider\/baseUrl/],
    ])('%s', async (_what, text, message) => {
      user(text);
      const failure = await load().catch((error: unknown) => error as Error & { code: string });
      expect(failure).toMatchObject({ code: 'config.invalid', message: expect.stringMatching(message) });
      expect((failure as Error).message).not.toContain('\n');
    });

    it('never repeats the text around the fault, which may be a key', async () => {
      user('{"provider": {"credential": sk-secret-key}}');
      await expect(load()).rejects.toMatchObject({ message: expect.not.stringContaining('sk-secret') });
    });

    it('a broken repository file: what it wanted to tighten is unknown, so nothing goes on without it', async () => {
      for (const text of ['{"tools":', '[]', '3']) {
        project(text);
        await expect(load()).rejects.toMatchObject({
          code: 'config.invalid',
          message: expect.stringContaining(projectFile),
        });
      }
    });

    it('an environment or command-line value that does not fit', async () => {
      await expect(load({ environment: { log: { level: 'loud' } } })).rejects.toMatchObject({
        message: expect.stringContaining('environment: /log/level'),
      });
      await expect(load({ overrides: { agent: { maxIterations: 0 } } })).rejects.toMatchObject({
        message: expect.stringContaining('command line: /agent/maxIterations'),
      });
    });
  });
});

describe('ConfigStore', () => {
  it('hands out frozen snapshots and tells watchers of changes, past one that throws', () => {
    const changed: (readonly string[])[] = [];
    const warned: string[] = [];
    const store = new ConfigStore(DEFAULT_CONFIG, {
      onChange: ({ keys }) => changed.push(keys),
      log: { warn: (text) => warned.push(text) },
    });
    const seen: string[] = [];
    store.watch(() => {
      throw new Error('bad watcher');
    });
    const dispose = store.watch((next, previous) =>
      seen.push(`${previous.provider.model} -> ${next.provider.model}`),
    );
    const before = store.current;
    store.update({ provider: { model: 'other' } });
    expect(seen).toEqual(['claude-sonnet-4-5 -> other']);
    expect(before.provider.model).toBe('claude-sonnet-4-5');
    expect(Object.isFrozen(store.current.provider)).toBe(true);
    expect(changed).toEqual([['provider']]);
    expect(warned).toHaveLength(1);
    store.update({ provider: { model: 'other' } });
    dispose();
    store.update({ log: { level: 'debug' } });
    expect(seen).toHaveLength(1);
    expect(changed).toEqual([['provider'], ['log']]);
  });

  it('refuses a patch that does not fit and changes nothing', () => {
    const store = new ConfigStore(DEFAULT_CONFIG);
    expect(() => store.update({ agent: { maxIterations: -1 } })).toThrow(/maxIterations/);
    expect(store.current).toBe(DEFAULT_CONFIG);
  });
});

describe('the schema', () => {
  it('describes every setting, for people and for editors', () => {
    const fields = configFields();
    expect(fields.length).toBeGreaterThan(25);
    for (const { key, type, description } of fields)
      expect([key, type !== '', description !== '']).toEqual([key, true, true]);
    expect(fields.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['provider.baseUrl', 'tools.<name>.permission', 'prices.<name>.input']),
    );
    expect(configJsonSchema()).toMatchObject({ title: 'wstack configuration', additionalProperties: false });
  });
});
