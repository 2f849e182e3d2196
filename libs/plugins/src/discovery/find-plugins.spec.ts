import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { moduleText, PluginFolders } from '../testing-folder.spec-support.js';
import { findPlugins } from './find-plugins.js';
import { folderDigest } from './folder-digest.js';

describe('findPlugins', () => {
  let folders: PluginFolders;
  beforeEach(() => {
    folders = new PluginFolders();
  });
  afterEach(() => folders.remove());

  const find = async () => {
    const { found, faulty, disabled } = findPlugins(folders.places());
    return {
      found: found.map(({ name, place, entry }) => `${place} ${name} ${path.basename(entry)}`),
      faulty: faulty.map(({ name, error }) => `${name} ${error.code}`),
      disabled,
    };
  };

  it('finds nothing where there is nothing', async () => {
    expect(await find()).toEqual({ found: [], faulty: [], disabled: [] });
  });

  it('looks at what is configured, then at the person’s own, then at the project’s', async () => {
    folders.write('~/mine/index.js', moduleText('mine'));
    folders.write('theirs/index.mjs', '');
    const elsewhere = path.join(folders.root, 'home', 'code', 'third');
    mkdirSync(elsewhere, { recursive: true });
    writeFileSync(path.join(elsewhere, 'index.cjs'), moduleText('third'));
    folders.config = { plugins: { third: { path: '~/code/third' } } };
    expect((await find()).found).toEqual([
      'config third index.cjs',
      'user mine index.js',
      'project theirs index.mjs',
    ]);
    folders.config = { plugins: [{ name: 'third', path: elsewhere }] };
    expect((await find()).found[0]).toBe('config third index.cjs');
    folders.config = { plugins: [{ name: 'third', path: path.join(elsewhere, 'index.cjs') }] };
    expect((await find()).found[0]).toBe('config third index.cjs');
  });

  it('takes the person’s own for theirs where they work in their home', async () => {
    folders.write('~/mine/index.js', moduleText('mine'));
    const home = path.join(folders.root, 'home');
    symlinkSync(home, path.join(folders.root, 'link'));
    for (const projectRoot of [home, path.join(folders.root, 'link')]) {
      const { found, faulty } = findPlugins({ ...folders.places(), projectRoot });
      expect([found.map(({ name, place }) => `${place} ${name}`), faulty]).toEqual([['user mine'], []]);
    }
  });

  it('leaves out what is switched off, in both forms of the configuration', async () => {
    folders.write('~/mine/index.js', moduleText('mine'));
    folders.config = { plugins: { mine: { enabled: false } } };
    expect(await find()).toEqual({ found: [], faulty: [], disabled: ['mine'] });
    folders.config = { plugins: [{ name: 'mine', enabled: false }] };
    expect((await find()).disabled).toEqual(['mine']);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a string', { exports: './lib/a.js' }, 'a.js'],
    ['conditions', { exports: { import: './lib/a.js', require: './b.cjs' } }, 'a.js'],
    ['a subpath', { exports: { '.': { types: './a.d.ts', default: './lib/a.js' } } }, 'a.js'],
    ['main', { main: 'lib/a' }, 'a.js'],
    ['main before module', { main: './b.cjs', module: './lib/a.js' }, 'b.cjs'],
    ['nothing: the index', { version: '1.0.0' }, 'index.js'],
  ])('finds the entry that package.json names by %s', async (_what, manifest, entry) => {
    folders.write('~/mine/package.json', JSON.stringify(manifest));
    for (const file of ['lib/a.js', 'b.cjs', 'index.js']) folders.write(`~/mine/${file}`, moduleText('mine'));
    expect(await find()).toEqual({ found: [`user mine ${entry}`], faulty: [], disabled: [] });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a package.json that is no JSON', { 'package.json': '{' }, 'plugin.package_invalid'],
    ['a package.json that is a list', { 'package.json': '[]' }, 'plugin.package_invalid'],
    ['an entry that is no name', { 'package.json': '{"main":7}' }, 'plugin.package_invalid'],
    ['an entry that is not there', { 'package.json': '{"main":"x.js"}' }, 'plugin.package_invalid'],
    ['an entry outside of the folder', { 'package.json': '{"main":"../out.js"}' }, 'plugin.package_invalid'],
    ['nothing to run', { 'README.md': '' }, 'plugin.package_invalid'],
    ['TypeScript alone', { 'index.ts': '' }, 'plugin.not_compiled'],
  ])('says what is wrong with %s', async (_what, files, code) => {
    folders.write('~/out.js', '');
    for (const [file, text] of Object.entries(files)) folders.write(`~/mine/${file}`, text);
    expect((await find()).faulty).toContain(`mine ${code}`);
  });

  it('follows a link to a folder and to a file inside it, and none that leaves it', async () => {
    const elsewhere = path.join(folders.root, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, 'main.js'), moduleText('linked'));
    symlinkSync('main.js', path.join(elsewhere, 'index.js'));
    folders.write('~/mine/README.md', '');
    symlinkSync(elsewhere, path.join(folders.root, 'home', '.wrongstack', 'plugins', 'linked'));
    symlinkSync(
      path.join(elsewhere, 'main.js'),
      path.join(folders.root, 'home', '.wrongstack', 'plugins', 'mine', 'index.js'),
    );
    expect(await find()).toEqual({
      found: ['user linked main.js'],
      faulty: ['mine plugin.package_invalid'],
      disabled: [],
    });
  });

  it('names a configured path that is not there', async () => {
    folders.config = { plugins: { ghost: { path: '/nowhere' } } };
    expect((await find()).faulty).toEqual(['ghost plugin.not_found']);
  });
});

describe('folderDigest', () => {
  let folders: PluginFolders;
  beforeEach(() => {
    folders = new PluginFolders();
  });
  afterEach(() => folders.remove());

  it('changes with every byte, name and file of the folder, its node_modules included, and with nothing else', async () => {
    const root = folders.write('~/mine/index.js', 'a');
    const digests = new Set<string>();
    const taken = async (): Promise<number> => digests.add(await folderDigest('mine', root)).size;
    expect(await taken()).toBe(1);
    folders.write('~/mine/index.js', 'b');
    expect(await taken()).toBe(2);
    folders.write('~/mine/node_modules/x/index.js', 'b');
    expect(await taken()).toBe(3);
    folders.write('~/mine/.hidden', '');
    expect(await taken()).toBe(4);
    folders.write('~/mine/.hidden', '');
    expect(await taken()).toBe(4);
  });

  it('refuses a link that leaves the folder, since its target changes unseen', async () => {
    const root = folders.write('~/mine/index.js', 'a');
    folders.write('~/mine/b.js', 'a');
    symlinkSync('b.js', path.join(root, 'inside.js'));
    await expect(folderDigest('mine', root)).resolves.toMatch(/^sha256:/);
    symlinkSync('/etc/hostname', path.join(root, 'outside.js'));
    await expect(folderDigest('mine', root)).rejects.toMatchObject({ code: 'plugin.unreadable' });
  });
});
