import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '@wrongstack/contracts';
import { ProjectPluginTrust } from '../../../libs/plugins/src/discovery/project-trust.js';
import { PluginRuntime } from '../../../libs/plugins/src/runtime/plugin-runtime.js';
import { createTestingHost } from '../../../libs/plugins/src/testing-host.js';

export const name = 'load 50 small plugins';

const PLUGINS = 50;
/** A module is imported once in a process, so each load needs files that nobody has imported yet. */
const HOMES = 220;

const root = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-plugins-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
const homes = Array.from({ length: HOMES }, (_, index) => writeHome(path.join(root, String(index))));

/** Find, check, order, import and set up, as at every start. */
export async function run(iterations: number): Promise<void> {
  for (let times = 0; times < iterations; times++) {
    const agentHome = nextHome();
    const runtime = new PluginRuntime({
      host: createTestingHost(),
      places: () => ({ agentHome, home: root, projectRoot: null, config: { plugins: {} } }),
      rules: async () => ({ require: [], allow: null, project: 'trusted', enforceCapabilities: false }),
      trust: new ProjectPluginTrust(agentHome, root, systemClock),
      hostModules: { '@wrongstack/core': async () => ({}) },
    });
    await runtime.load();
    const loaded = runtime.list().filter(({ state }) => state === 'loaded').length;
    if (loaded !== PLUGINS) throw new Error(`bench: ${loaded} of ${PLUGINS} plugins were loaded.`);
  }
}

export const baseline = {
  name: 'importing their files',
  async run(iterations: number): Promise<void> {
    for (let times = 0; times < iterations; times++) {
      const home = nextHome();
      await Promise.all(entries(home).map((file) => import(pathToFileURL(file).href)));
    }
  },
};

export const limitRatio = 2;
/** The built program has its code compiled already. */
export const warmUp = 24;

function nextHome(): string {
  const home = homes.pop();
  if (home === undefined) throw new Error('bench: no plugins are left that were not imported; fewer rounds.');
  return home;
}

function writeHome(home: string): string {
  for (const [index, file] of entries(home).entries()) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, moduleText(index));
  }
  return home;
}

function entries(home: string): readonly string[] {
  return Array.from({ length: PLUGINS }, (_, index) =>
    path.join(home, 'plugins', nameOf(index), 'index.mjs'),
  );
}

function nameOf(index: number): string {
  return `plugin-${String(index).padStart(2, '0')}`;
}

/** As small as one that does something: a tool and its few lines. */
function moduleText(index: number): string {
  return `export default {
  name: '${nameOf(index)}',
  version: '1.0.0',
  apiVersion: '^0.1.0',
  capabilities: { tools: true },
  setup(api) {
    api.tools.register({
      name: 'tool_${index}',
      description: 'Says hello',
      inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
      permission: 'auto',
      mutating: false,
      riskTier: 'safe',
      async execute(input) {
        return { greeting: \`Hello, \${input.who ?? 'world'}!\` };
      },
    });
  },
};
`;
}
