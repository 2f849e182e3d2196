import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
          read: { permission: 'auto', timeoutMs: -1, path: 'x' },
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
          'tools.read.timeoutMs',
        ].sort(),
      );
    });

    it('cannot raise the limit, nor reach a prototype', async () => {
      project(
        '{"agent":{"maxIterations":100000},"tools":{"__proto__":{"permission":"deny"}},"__proto__":{"log":1}}',
      );
      const { config, ignored } = await load();
      expect(config).toEqual(DEFAULT_CONFIG);
      expect(ignored).toContain('agent.maxIterations');
      expect(({} as Record<string, unknown>)['permission']).toBeUndefined();
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
      ['a __proto__ key', '{"__proto__":{"a":1}}', /__proto__/],
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

    it('a file that cannot be read', async () => {
      const readText = () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }));
      await expect(load({ readText })).rejects.toMatchObject({
        code: 'config.unreadable',
        message: expect.stringContaining(userFile),
      });
      chmodSync(folder, 0o700);
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
