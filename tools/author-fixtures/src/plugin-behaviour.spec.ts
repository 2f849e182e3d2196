import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  defineTool,
  KERNEL_API_VERSION,
  type Plugin,
  type PluginCapabilities,
  type Tool,
} from '@wrongstack/core';
import { createTestHost, type TestHost } from '@wrongstack/core/testing';
import { createMutationGuard, isToolModule, loadPlugins, pluginOfModule } from '@wrongstack/plugins';
import * as myTool from '../cookbook/src/my-tool.js';
import { echoTool } from '../guide/src/echo.js';
import { capabilities, myTool as reader } from '../guide/src/my-reader.js';
import greeting from '../plugin/src/index.js';
import slowStart from '../plugin/src/slow-start.js';
import { pluginHostOf } from './plugin-host.spec-support.js';

describe('modules and plugins written by the guides', () => {
  let project: string;
  let host: TestHost;
  const bundled = new Set<string>();
  const declared = new Map<string, PluginCapabilities | undefined>();
  beforeEach(() => {
    project = mkdtempSync(path.join(tmpdir(), 'plugins-'));
    host = createTestHost({
      projectRoot: project,
      mayMutate: createMutationGuard(
        (name) => ({ official: bundled.has(name), capabilities: declared.get(name) }),
        () => 'superset',
      ),
    });
  });
  afterEach(() => {
    host.dispose();
    rmSync(project, { recursive: true });
    bundled.clear();
    declared.clear();
  });

  const load = async (...plugins: Plugin[]) => {
    for (const plugin of plugins) declared.set(plugin.name, plugin.capabilities);
    return loadPlugins(plugins, { host: pluginHostOf(host), enforceCapabilities: true });
  };
  const call = async (name: string, input: unknown) => {
    await host.run([{ calls: [{ name, input }] }, { text: 'done' }]);
    return host.calls.at(-1);
  };

  it('loads the minimal plugin, whose tools run and end with it', async () => {
    const loaded = await load(greeting, slowStart);
    expect(loaded.list().map(({ name, state }) => `${name} ${state}`)).toEqual([
      'my-plugin loaded',
      'slow-start loaded',
    ]);
    expect(await call('hello', {})).toMatchObject({ text: '{"greeting":"Hello, world!"}' });
    expect(await call('greet', { name: 'Mira' })).toMatchObject({ text: '{"msg":"Hi, Mira"}' });
    await loaded.unload('my-plugin');
    expect(host.kernel.tools.list()).toEqual([]);
  });

  it('compares the declared range with the version that core exports', async () => {
    expect(KERNEL_API_VERSION).toMatch(/^0\.1\./);
    const loaded = await load({ ...greeting, apiVersion: '^9.0.0' });
    expect(loaded.list()[0]).toMatchObject({ state: 'failed', error: { code: 'plugin.api_version' } });
  });

  it('loads the cookbook’s module; disposing of it unregisters its tool', async () => {
    expect(isToolModule(myTool)).toBe(true);
    const loaded = await load(pluginOfModule(myTool));
    expect(host.kernel.tools.get('read_file')?.owner).toBe('my-tool');
    await loaded.unload('my-tool');
    expect(host.kernel.tools.get('read_file')).toBeUndefined();
    expect(await call('read_file', { path: '/a' })).toMatchObject({ isError: true });
  });

  it('replaces a module while the agent lives: the next request sees the new tool alone', async () => {
    const version = (says: string) => ({
      name: 'changing',
      inject: ['tools'],
      apply(ctx: Parameters<typeof myTool.apply>[0]) {
        ctx.tools.register(
          defineTool({
            name: `say_${says}`,
            description: `Says ${says}.`,
            parameters: {},
            permission: 'auto',
            mutating: false,
            riskTier: 'safe',
            execute: async () => says,
          }),
        );
      },
    });
    const first = await load(pluginOfModule(version('one')));
    expect(await call('say_one', {})).toMatchObject({ text: 'one' });
    await first.unload('changing');
    const second = await load(pluginOfModule(version('two')));
    expect(await call('say_two', {})).toMatchObject({ text: 'two' });
    expect(host.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(['say_two']);
    await second.unloadAll();
    expect(host.kernel.tools.list()).toEqual([]);
  });

  it('does not let a tool register others once the model has been told what there is', async () => {
    host.kernel.tools.register({
      ...echoTool,
      async execute(_input: unknown, ctx) {
        ctx.tools.register({ ...echoTool, name: 'late' });
        return 'registered';
      },
    } satisfies Tool);
    expect(await call('echo', { text: '' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('cannot be registered during a run'),
    });
    expect(host.kernel.tools.get('late')).toBeUndefined();
  });

  describe('that change the tool of somebody else', () => {
    const wrapping = (name: string, tool: string, mutate: PluginCapabilities = {}): Plugin => ({
      name,
      capabilities: mutate,
      setup: (api) =>
        void api.tools.wrap(tool, (original) => ({
          ...original,
          permission: 'confirm',
          async execute(input, ctx, opts) {
            return `wrapped ${JSON.stringify(await original.execute(input, ctx, opts))}`;
          },
        })),
    });
    const outcome = async (plugin: Plugin) => (await load(plugin)).list()[0];

    beforeEach(() => {
      host.kernel.tools.register({ ...reader, execute: async () => ({ content: 'text' }) });
      host.kernel.tools.register(echoTool);
    });

    it('may do so where they are bundled, whatever capabilities they name', async () => {
      bundled.add('official');
      expect(
        await outcome(wrapping('official', 'echo', { toolMutateCapabilities: ['net.outbound'] })),
      ).toMatchObject({
        state: 'loaded',
      });
      expect(await call('echo', { text: 'hi' })).toMatchObject({ text: 'wrapped {"echoed":"hi"}' });
      expect(host.asked).toHaveLength(1);
    });

    it('may do so with their own', async () => {
      const own: Plugin = {
        name: 'owner',
        capabilities: { tools: true },
        setup(api) {
          api.tools.register({ ...echoTool, name: 'mine' });
          api.tools.wrap('mine', (original) => ({ ...original, permission: 'confirm' }));
          api.tools.unregister('mine');
        },
      };
      expect(await outcome(own)).toMatchObject({ state: 'loaded' });
      expect(host.kernel.tools.get('mine')).toBeUndefined();
    });

    it('may do so where they named every capability of the tool', async () => {
      expect(await outcome(wrapping('outsider', 'my-reader', capabilities))).toMatchObject({
        state: 'loaded',
      });
    });

    it('may not where they named some of them or none', async () => {
      host.kernel.tools.register({ ...reader, name: 'fetcher', capabilities: ['fs.read', 'net.outbound'] });
      for (const plugin of [wrapping('some', 'fetcher', capabilities), wrapping('none', 'my-reader')]) {
        expect(await outcome(plugin)).toMatchObject({ state: 'failed' });
      }
    });

    it('may not where the tool declares no capabilities', async () => {
      expect(await outcome(wrapping('outsider', 'echo', capabilities))).toMatchObject({
        state: 'failed',
        error: { message: expect.stringContaining('declares no capabilities') },
      });
    });

    it('may never loosen one', async () => {
      bundled.add('official');
      host.kernel.tools.register({ ...reader, name: 'asks', permission: 'confirm' });
      const loosening: Plugin = {
        name: 'official',
        capabilities: { toolMutateCapabilities: ['fs.read'] },
        setup: (api) => void api.tools.wrap('asks', (original) => ({ ...original, permission: 'auto' })),
      };
      expect(await outcome(loosening)).toMatchObject({
        state: 'failed',
        error: { message: expect.stringContaining('permission') },
      });
    });
  });
});
