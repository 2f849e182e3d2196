import { PluginFolders } from '../testing-folder.spec-support.js';
import type { PluginRuntime } from './plugin-runtime.js';

jest.setTimeout(60_000);

const TOOL =
  "{ name: 'greet', description: '', inputSchema: { type: 'object' }, permission: 'auto', mutating: false, execute: async () => '' }";
const ONE_OF_EACH = `
  api.tools.register(${TOOL});
  api.tools.wrap('greet', (tool) => ({ ...tool, permission: 'confirm' }));
  api.slashCommands.register({ name: 'tenant', description: '', execute: async () => undefined });
  api.onEvent('tool.executed', () => undefined);
  api.onPattern('*', () => undefined);
  api.events.once('error', () => undefined);
  api.pipelines.request.use({ name: 'inject', handler: (request, next) => next(request) });
  api.extensions.register({ name: 'hooks' });
  api.onConfigChange(() => undefined);
  api.providers.register({ type: 'my-llm', family: 'x', create: () => ({}) });
  api.registerSystemPromptContributor(async () => []);
`;

describe('a plugin that is taken down and loaded again, fifty times', () => {
  let folders: PluginFolders;
  let runtime: PluginRuntime;
  beforeEach(() => {
    folders = new PluginFolders();
    runtime = folders.runtime();
  });
  afterEach(async () => {
    await runtime.close();
    folders.remove();
  });

  const timers = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

  it.each<[string, string, string]>([
    ['and is whole', `setup(api) { ${ONE_OF_EACH} }`, 'busy loaded'],
    [
      'and fails each time after it registered everything',
      `async setup(api) { ${ONE_OF_EACH} await null; throw new Error('at last') }`,
      'busy failed plugin.setup_failed',
    ],
    [
      'and throws and registers in its teardown',
      `setup(api) { ${ONE_OF_EACH} }, teardown(api) { api.onEvent('error', () => undefined); throw new Error('stuck') }`,
      'busy loaded',
    ],
    ['and changes its file each time', `version: 'ROUND', setup(api) { ${ONE_OF_EACH} }`, 'busy loaded'],
  ])('leaves nothing behind: %s', async (_what, body, line) => {
    const { host } = folders;
    const write = (round: number): void =>
      void folders.write(
        '~/busy/index.js',
        `module.exports = { name: 'busy', capabilities: { tools: true }, ${body.replace('ROUND', String(round))} };`,
      );
    write(0);
    const own = host.registrations();
    const before = timers();
    const counts = new Set<number>();
    for (let round = 0; round < 50; round += 1) {
      write(round);
      await runtime.reload();
      expect(folders.lines(runtime.list())).toEqual([line]);
      counts.add(host.registrations() - own);
    }
    expect([...counts]).toEqual([line.includes('failed') ? 0 : 10]);
    await runtime.close();
    expect(host.tools.list()).toEqual([]);
    expect(host.registrations()).toBeLessThanOrEqual(own);
    // The test runner has some of its own, which come and go; one left behind each time would be fifty.
    expect(timers()).toBeLessThan(before + 10);
  });
});
