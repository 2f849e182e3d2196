import {
  appendFile,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolStreamEvent } from '@wrongstack/contracts';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createCodebaseIndexTool, type CodebaseIndexInput } from './codebase-index.tool.js';
import { indexFolder } from './index-file.js';

const tool = createCodebaseIndexTool();

describe('codebase-index', () => {
  let project: TestProject;
  const run = (input: CodebaseIndexInput) => tool.execute(input, project.ctx, toolOptions());
  const indexFile = (): string => join(indexFolder(project.ctx.dataDir, project.root), 'index.jsonl');
  beforeEach(async () => {
    project = await createTestProject({
      'src/store.ts': 'export class TokenStore {\n  refreshToken() {}\n}\n',
      'src/use.ts':
        "import { TokenStore } from './store.js';\n// the token store is used twice\nnew TokenStore();\n",
      'src/other.py': 'def store_token(x):\n    return x\n',
      'docs/a.md': 'Nothing about it.\n',
      'build/out.js': 'class TokenStore {}\n',
      '.gitignore': 'build/\n',
      '.env': 'TOKEN_STORE=secret\n',
    });
  });
  afterEach(() => project.dispose());

  it('finds declarations by name: exact ones first, then by their start, then by a part', async () => {
    const output = await run({ symbol: 'tokenstore' });
    expect(textOf(output)).toBe('src/store.ts:1 class TokenStore\n[5 files indexed, 5 read anew]');
    expect(
      textOf(await run({ symbol: 'token' }))
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      'src/store.ts:1 class TokenStore',
      'src/other.py:1 function store_token',
      'src/store.ts:2 method refreshToken',
    ]);
    expect(textOf(await run({ symbol: 'absent' }))).toContain('[no declaration is named like absent]');
  });

  it('ranks files by words, the one that declares them first, and shows where', async () => {
    const output = await run({ query: 'TokenStore', limit: 1 });
    expect(textOf(output).split('\n').slice(0, 4)).toEqual([
      'src/store.ts',
      '  1: export class TokenStore {',
      '  2: refreshToken() {}',
      expect.stringMatching(/more files/),
    ]);
    expect(textOf(await run({ query: 'used twice' }))).toContain(
      'src/use.ts\n  2: // the token store is used twice',
    );
    expect(textOf(await run({ query: 'zebra' }))).toContain('[no file holds these words]');
  });

  it('keeps out ignored files, credentials and links', async () => {
    await writeFile(join(project.outside, 'o.ts'), 'class TokenStoreOutside {}\n');
    await symlink(join(project.outside, 'o.ts'), project.at('src/l.ts'));
    await run({});
    const stored = await readFile(indexFile(), 'utf8');
    for (const name of ['build/out.js', '.env', 'outside', 'secret']) expect(stored).not.toContain(name);
  });

  it('reads again only what changed, and forgets what is gone', async () => {
    await run({});
    const before = (await stat(indexFile())).ino;
    expect((await run({})).meta).toMatchObject({ files: 5, updated: 0, removed: 0 });
    expect((await stat(indexFile())).ino).toBe(before);
    await appendFile(project.at('src/store.ts'), 'export class Second {}\n');
    await rm(project.at('docs/a.md'));
    await project.write('src/third.go', 'package a\nfunc Third() {}\n');
    expect((await run({ symbol: 'second' })).meta).toMatchObject({
      files: 5,
      updated: 2,
      removed: 1,
      symbols: 1,
    });
    expect(textOf(await run({ symbol: 'third' }))).toContain('src/third.go:2 function Third');
    await utimes(project.at('src/use.ts'), 1, 1);
    expect((await run({})).meta).toMatchObject({ updated: 1 });
  });

  it('lies outside the project, for its owner alone', async () => {
    await run({});
    expect((await stat(indexFile())).mode & 0o777).toBe(0o600);
    expect((await readdir(project.root)).sort()).toEqual(['.env', '.gitignore', 'build', 'docs', 'src']);
  });

  it.each([
    ['torn', async (file: string) => writeFile(file, (await readFile(file)).subarray(0, -40))],
    ['of another form', async (file: string) => writeFile(file, '{"other":1}\n')],
    [
      'nonsense',
      async (file: string) => writeFile(file, '{"wrongstackIndex":1}\nnonsense\n["a",1,"2",]\n[]\n'),
    ],
    [
      'a folder',
      async (file: string) => {
        await rename(file, `${file}.old`);
        await symlink('/etc/passwd', file);
      },
    ],
  ])('is built again where it is %s', async (_how, damage) => {
    await run({});
    await damage(indexFile());
    expect(textOf(await run({ symbol: 'TokenStore' }))).toContain('src/store.ts:1 class TokenStore');
    expect(textOf(await run({ query: 'twice' }))).toContain('src/use.ts');
  });

  it('leaves no half of an index when it is interrupted', async () => {
    await run({});
    const before = await readFile(indexFile(), 'utf8');
    for (let file = 0; file < 200; file += 1) await project.write(`many/${file}.ts`, 'x');
    const abort = new AbortController();
    const events = tool.executeStream?.({}, project.ctx, toolOptions({ signal: abort.signal }));
    const work = (async () => {
      for await (const event of events ?? []) if (event.type === 'metric') abort.abort();
    })();
    await expect(work).rejects.toThrow();
    expect(await readFile(indexFile(), 'utf8')).toBe(before);
    expect((await readdir(join(indexFile(), '..'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('says how far it is, then one result', async () => {
    const events: ToolStreamEvent[] = [];
    for await (const event of tool.executeStream?.({ query: 'token' }, project.ctx, toolOptions()) ?? [])
      events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['metric', 'final']);
    expect(events[0]).toEqual({ type: 'metric', data: { files: 5, total: 5 } });
  });

  it('looks below one folder only when it is told to, and nowhere outside the project', async () => {
    expect(textOf(await run({ symbol: 'token', path: 'docs' }))).toContain('[no declaration');
    expect(textOf(await run({ query: 'token', path: 'src' }))).toContain('src/use.ts');
    expect(await codeOfRejection(run({ query: 'x', path: project.outside }))).toBe('path.outside');
    expect(await codeOfRejection(run({ query: 'x', path: 'none' }))).toBe('fs.not_found');
  });

  it('works without ripgrep as with it', async () => {
    const walking = createCodebaseIndexTool({ locate: async () => null });
    const [one, other] = [
      await run({ query: 'token store' }),
      await walking.execute({ query: 'token store' }, project.ctx, toolOptions()),
    ];
    expect(textOf(other).split('\n').slice(0, -1)).toEqual(textOf(one).split('\n').slice(0, -1));
    expect(other.meta).toMatchObject({ updated: 0 });
  });

  it('claims that it reads the project, and presents its words', () => {
    expect(tool.describeCall?.({ query: 'x', path: 'src' }, { cwd: '/ws/sub', projectRoot: '/ws' })).toEqual({
      paths: [
        { path: '/ws', access: 'read', recursive: true },
        { path: 'src', access: 'read', recursive: true },
      ],
      command: null,
      cwd: '/ws/sub',
      urls: [],
    });
    expect(tool.presentCall?.({ symbol: 'A', query: 'b', path: 'c' })).toEqual({
      card: 'generic',
      kind: 'search',
      title: 'A · b in c',
    });
  });

  it('refuses other inputs', async () => {
    for (const input of [null, { query: 3 }, { symbol: '' }, { limit: 0 }, { path: 3 }]) {
      expect(
        await codeOfRejection(tool.execute(input as CodebaseIndexInput, project.ctx, toolOptions())),
      ).toBe('tool.bad_input');
    }
  });
});
