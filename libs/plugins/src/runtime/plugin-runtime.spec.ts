import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderDigest } from '../discovery/folder-digest.js';
import { moduleText, PluginFolders } from '../testing-folder.spec-support.js';
import type { PluginRuntime } from './plugin-runtime.js';

const TOOL =
  "{ name: 'greet', description: '', inputSchema: { type: 'object' }, permission: 'auto', mutating: false, execute: async () => 'VERSION' }";

describe('the plugins of a host', () => {
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

  const load = async (): Promise<readonly string[]> => {
    await runtime.load();
    return folders.lines(runtime.list());
  };

  it('are loaded from disk, in three forms of a module', async () => {
    folders.write('~/plain/index.js', moduleText('plain'));
    folders.write('~/transpiled/index.js', "exports.default = { name: 'transpiled', setup() {} };");
    folders.write(
      '~/cookbook/index.js',
      "module.exports = { name: 'cookbook', inject: ['tools'], apply() {} };",
    );
    expect(await load()).toEqual(['cookbook loaded', 'plain loaded', 'transpiled loaded']);
  });

  it.each<[string, string, string]>([
    ['throws on import', "throw new Error('no'); ", 'plugin.import_failed'],
    ['exports nothing', 'module.exports = 7;', 'plugin.no_plugin'],
    ['calls itself something else', moduleText('official'), 'plugin.name_mismatch'],
    ['throws in setup', moduleText('bad', "setup() { throw new Error('no') }"), 'plugin.setup_failed'],
    ['never settles', moduleText('bad', 'setup: () => new Promise(() => {})'), 'plugin.setup_timeout'],
    ['depends on itself', moduleText('bad', "dependsOn: ['bad'], setup() {}"), 'plugin.cycle'],
    [
      'changes the configuration',
      moduleText('bad', "setup(api) { 'use strict'; api.config.plugins.x = 1 }"),
      'plugin.setup_failed',
    ],
    [
      'takes a name that exists',
      moduleText('bad', `setup(api) { api.tools.register(${TOOL}) }`),
      'tool.exists',
    ],
    [
      'says that it is official, and wraps what it may not',
      moduleText('bad', "official: true, setup(api) { api.tools.wrap('greet', (tool) => tool) }"),
      'plugin.mutation_denied',
    ],
    [
      'emits without end',
      moduleText('bad', "setup(api) { for (let i = 0; i < 1e6; i += 1) api.emitCustom('bad:x', i) }"),
      'plugin.event_flood',
    ],
    [
      'emits what is built in',
      moduleText('bad', "setup(api) { api.emitCustom('tool.decided', {}) }"),
      'events.reserved',
    ],
  ])('that fail do so alone: one that %s', async (_what, text, code) => {
    folders.host.tools.register(
      {
        name: 'greet',
        description: '',
        inputSchema: { type: 'object' },
        permission: 'confirm',
        mutating: false,
        capabilities: ['fs.read'],
        execute: async () => '',
      },
      'core',
    );
    const before = folders.host.registrations();
    folders.write('~/bad/index.js', text);
    folders.write('~/good/index.js', moduleText('good'));
    expect(await load()).toEqual(expect.arrayContaining([`bad failed ${code}`, 'good loaded']));
    expect(folders.host.registrations()).toBe(before);
  });

  describe('that came with a project', () => {
    const CANARY = (file: string): string =>
      moduleText('theirs', 'setup() {}', `require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); `);

    it('run only once trusted, by content, and no more when a byte has changed', async () => {
      const canary = path.join(folders.root, 'CANARY');
      const root = folders.write('theirs/index.js', CANARY(canary));
      expect(await load()).toEqual(['theirs failed plugin.untrusted']);
      expect(() => statSync(canary)).toThrow('ENOENT');

      await folders.trust().trust('theirs', await folderDigest('theirs', root));
      expect(statSync(folders.trust().file).mode & 0o777).toBe(0o600);
      expect(await load()).toEqual(['theirs loaded']);

      folders.write('theirs/helper.js', '// one more file');
      await runtime.reload();
      expect(runtime.list()).toMatchObject([
        {
          name: 'theirs',
          error: { code: 'plugin.untrusted', message: expect.stringContaining('has changed') },
        },
      ]);
    });

    it('can be forgotten again', async () => {
      await folders.trust().trust('theirs', `sha256:${'0'.repeat(64)}`);
      expect(await folders.trust().forget('theirs')).toBe(true);
      expect(await folders.trust().forget('theirs')).toBe(false);
    });

    it('are not trusted while the trust file is not understood', async () => {
      folders.write('theirs/index.js', moduleText('theirs'));
      const { file } = folders.trust();
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '{"version":1,"project":"/another","plugins":{}}');
      expect(await load()).toEqual([
        'theirs failed plugin.untrusted',
        '(trust file) failed plugin.trust_corrupt',
      ]);
    });

    it('never run where a policy says so, trusted or not', async () => {
      const root = folders.write('theirs/index.js', moduleText('theirs'));
      await folders.trust().trust('theirs', await folderDigest('theirs', root));
      folders.rules = { ...folders.rules, project: 'deny' };
      expect(await load()).toEqual(['theirs failed plugin.project_denied']);
    });

    it('do not take the place of one that the person installed', async () => {
      const root = folders.write('same/index.js', moduleText('same', "version: 'theirs', setup() {}"));
      folders.write('~/same/index.js', moduleText('same', "version: 'mine', setup() {}"));
      await folders.trust().trust('same', await folderDigest('same', root));
      await runtime.load();
      expect(runtime.list().map(({ version, error }) => version ?? error?.code)).toEqual([
        'mine',
        'plugin.duplicate',
      ]);
    });
  });

  describe('under a policy', () => {
    it('that lists them are loaded by name and content only', async () => {
      const root = folders.write('~/listed/index.js', moduleText('listed'));
      folders.write('~/other/index.js', moduleText('other'));
      const digest = await folderDigest('listed', root);
      folders.rules = { ...folders.rules, allow: [{ name: 'listed', digest }] };
      expect(await load()).toEqual(['listed loaded', 'other failed plugin.not_allowed']);
      expect(runtime.digestOf('listed')).toBe(digest);
      folders.write('~/listed/index.js', `${moduleText('listed')} // changed`);
      await runtime.reload();
      expect(folders.lines(runtime.list())).toContain('listed failed plugin.not_allowed');
    });

    it('that requires one that is not there are named as missing', async () => {
      folders.write('~/there/index.js', moduleText('there'));
      folders.rules = { ...folders.rules, require: ['there', 'guard'] };
      expect(await load()).toEqual(['there loaded', 'guard failed plugin.required_missing']);
    });

    it('that enforces capabilities fail when they use what they did not declare', async () => {
      folders.write('~/loose/index.js', moduleText('loose', `setup(api) { api.tools.register(${TOOL}) }`));
      folders.rules = { ...folders.rules, enforceCapabilities: true };
      expect(await load()).toEqual(['loose failed plugin.capability_undeclared']);
    });
  });

  it('are loaded anew with their changes, and leave nothing of what they were', async () => {
    const text = (version: string): string =>
      moduleText(
        'mine',
        `capabilities: { tools: true }, setup(api) { api.tools.register(${TOOL.replace('VERSION', version)}) }`,
      );
    folders.write('~/mine/index.js', text('one'));
    await runtime.load();
    const run = (): unknown => folders.host.tools.get('greet')?.execute({}, {} as never, {} as never);
    expect(await run()).toBe('one');
    folders.write('~/mine/index.js', text('two'));
    await runtime.reload();
    expect(await run()).toBe('two');
    await runtime.close();
    expect(folders.host.tools.list()).toEqual([]);
  });

  it('carry the faults of their listeners and hooks, counted, and the host goes on', async () => {
    folders.write(
      '~/shaky/index.js',
      moduleText(
        'shaky',
        "setup(api) { api.onEvent('config.changed', () => { throw new Error('always') }) }, teardown() { throw new Error('stuck') }",
      ),
    );
    await runtime.load();
    const { events } = folders.host;
    for (let times = 0; times < 3; times += 1) events.emit('config.changed', { keys: [] });
    events.emit('pipeline.failed', { pipeline: 'toolCall', owner: 'shaky', handler: 'h', message: 'no' });
    expect(runtime.list()[0]?.faults).toEqual([
      { code: 'plugin.hook_failed', message: expect.stringContaining('always'), times: 3 },
      { code: 'plugin.hook_failed', message: 'pipeline toolCall: no', times: 1 },
    ]);
    await runtime.close();
    expect(runtime.list()[0]?.faults.at(-1)).toMatchObject({
      code: 'plugin.teardown_failed',
      message: expect.stringContaining('stuck'),
    });
    expect(events.listenerCount).toBe(0);
  });

  it('are known by the stack of an error that they let escape', async () => {
    const root = folders.write('~/stray/index.js', moduleText('stray'));
    await runtime.load();
    const error = Object.assign(new Error('late'), { stack: `Error: late\n    at f (${root}/index.js:1:1)` });
    expect(runtime.ownersOf(error)).toEqual(['stray']);
    expect(runtime.ownersOf(new Error('ours'))).toEqual([]);
  });
});

describe('a person’s answer about a project’s plugins', () => {
  let folders: PluginFolders;
  beforeEach(() => {
    folders = new PluginFolders();
  });
  afterEach(() => folders.remove());

  const loaded = async () => {
    const runtime = folders.runtime();
    await runtime.load();
    return runtime;
  };
  const lines = (runtime: Awaited<ReturnType<typeof loaded>>) => folders.lines(runtime.list());

  it('yes loads them at once, and in later sessions without a question', async () => {
    folders.write('theirs/index.js', moduleText('theirs'));
    const runtime = await loaded();
    expect(runtime.untrusted()).toEqual([
      { name: 'theirs', root: expect.any(String), digest: expect.stringMatching(/^sha256:/) },
    ]);
    await runtime.answer(runtime.untrusted(), true);
    expect(lines(runtime)).toEqual(['theirs loaded']);
    const later = await loaded();
    expect([lines(later), later.untrusted()]).toEqual([['theirs loaded'], []]);
  });

  it('yes counts for what was shown: content that changed meanwhile does not load and is asked about', async () => {
    folders.write('theirs/index.js', moduleText('theirs'));
    const runtime = await loaded();
    const shown = runtime.untrusted();
    folders.write('theirs/index.js', moduleText('theirs', 'setup() {}', '/* other */'));
    await runtime.answer(shown, true);
    expect(lines(runtime)).toEqual(['theirs failed plugin.untrusted']);
    expect(runtime.untrusted()).toHaveLength(1);
  });

  it('no is kept for that content alone, and a later trust wins', async () => {
    folders.write('theirs/index.js', moduleText('theirs'));
    const runtime = await loaded();
    const shown = runtime.untrusted();
    await runtime.answer(shown, false);
    const later = await loaded();
    expect([lines(later), later.untrusted()]).toEqual([['theirs failed plugin.declined'], []]);
    await folders.trust().trust('theirs', shown[0]?.digest ?? '');
    expect(lines(await loaded())).toEqual(['theirs loaded']);
  });
});
