/**
 * The files of a new plugin, by path below its folder. `workspace`: the way from that folder to this repository, where
 * the types are, or null where they are found without it.
 */
export function pluginFiles({ name, runner, workspace }) {
  return {
    'package.json': packageJson(name),
    'tsconfig.json': tsconfig(workspace),
    'src/index.ts': plugin(name),
    'src/index.spec.ts': spec(name, runner),
  };
}

const packageJson = (name) =>
  JSON.stringify({ name, version: '0.1.0', private: true, type: 'module', main: 'dist/index.js' });

const tsconfig = (workspace) =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      ...(workspace !== null && typesIn(workspace)),
      rootDir: 'src',
      outDir: 'dist',
    },
    include: ['src'],
    exclude: ['src/**/*.spec.ts'],
  });

const typesIn = (workspace) => ({
  typeRoots: [`${workspace}/node_modules/@types`],
  paths: {
    '@wrongstack/core': [`${workspace}/libs/core/dist/index.d.ts`],
    '@wrongstack/core/testing': [`${workspace}/libs/core/dist/testing.d.ts`],
  },
});

const toolName = (name) => `${name.replaceAll('-', '_')}_greet`;

const plugin = (name) => `import type { Plugin } from '@wrongstack/core';

interface Greet {
  readonly who: string;
}

const plugin: Plugin = {
  name: '${name}',
  version: '0.1.0',
  description: 'Greets people',
  apiVersion: '^0.1.0',
  // What is not declared here is a warning in \`wstack plugin list\`, and an error where a policy is strict.
  capabilities: { tools: true, slashCommands: true },
  defaultConfig: { greeting: 'Hello' },
  configSchema: {
    type: 'object',
    properties: { greeting: { type: 'string', minLength: 1, maxLength: 40 } },
    additionalProperties: false,
  },

  setup(api, { signal } = { signal: new AbortController().signal }) {
    signal.throwIfAborted();
    const greeting: string = api.config.extensions['${name}'].greeting;
    this.greeted = 0;
    api.tools.register({
      name: '${toolName(name)}',
      description: 'Greet somebody by name.',
      inputSchema: {
        type: 'object',
        properties: { who: { type: 'string', minLength: 1, maxLength: 80, description: 'Name' } },
        required: ['who'],
        additionalProperties: false,
      },
      permission: 'auto',
      mutating: false,
      riskTier: 'safe',
      // Touches nothing: no file, no command, no host.
      describeCall: () => ({ paths: [], command: null, urls: [] }),
      execute: async ({ who }: Greet, _ctx, options) => {
        options.signal.throwIfAborted();
        this.greeted += 1;
        api.metrics.counter('greetings_total');
        return \`\${greeting}, \${who}!\`;
      },
    });
    api.slashCommands.register({
      name: '${name}',
      description: 'how many were greeted',
      execute: async () => ({ message: \`\${String(this.greeted)} greeted so far\` }),
    });
  },

  async health() {
    return { ok: true, message: \`\${String(this.greeted ?? 0)} greeted\` };
  },

  async teardown(api) {
    // Close what you opened yourself; what was registered through api is released for you.
    api.log.debug('good-bye');
  },
};

export default plugin;
`;

const spec = (name, runner) => {
  const imports =
    runner === 'vitest' ? "import { afterEach, beforeEach, describe, expect, it } from 'vitest';\n" : '';
  return `import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginAPI } from '@wrongstack/core';
import { createTestHost, type TestHost } from '@wrongstack/core/testing';
${imports}import plugin from './index.js';

describe('${name}', () => {
  let folder: string;
  let host: TestHost;
  const commands = new Map<string, { execute(input: never): Promise<unknown> }>();
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), '${name}-')));
    host = createTestHost({ projectRoot: folder });
    // The surfaces that it uses, over the real registry of tools.
    const api = {
      tools: { register: (tool: never) => host.kernel.tools.register(tool, '${name}') },
      slashCommands: { register: (one: { name: string; execute: never }) => commands.set(one.name, one) },
      metrics: { counter: () => undefined },
      config: { extensions: { '${name}': plugin.defaultConfig } },
      log: { debug: () => undefined },
    } as unknown as PluginAPI;
    await plugin.setup(api);
  });
  afterEach(() => {
    host.dispose();
    rmSync(folder, { recursive: true });
  });

  const call = async (input: unknown) => {
    await host.run([{ calls: [{ name: '${toolName(name)}', input }] }, { text: 'done' }]);
    return host.calls.at(-1);
  };

  it('greets, and counts whom it greeted', async () => {
    expect(await call({ who: 'Mira' })).toMatchObject({ status: 'ok', text: 'Hello, Mira!' });
    expect(await commands.get('${name}')?.execute({} as never)).toEqual({ message: '1 greeted so far' });
    expect(await plugin.health?.()).toEqual({ ok: true, message: '1 greeted' });
  });

  it('refuses what is no name', async () => {
    expect(await call({ who: '' })).toMatchObject({ isError: true });
    expect(await call({})).toMatchObject({ isError: true });
  });
});
`;
};
