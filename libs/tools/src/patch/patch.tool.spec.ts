import {
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createPatchTool } from './patch.tool.js';
import { PATCH_VECTORS } from './patch.vectors.spec-support.js';

const patchTool = createPatchTool();
const claimContext = { cwd: '/ws', projectRoot: '/ws' };

async function tree(folder: string, prefix = ''): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) Object.assign(files, await tree(join(folder, entry.name), `${name}/`));
    else files[name] = await readFile(join(folder, entry.name), 'utf8');
  }
  return files;
}

async function read(project: TestProject, path: string): Promise<void> {
  project.ctx.recordRead(project.at(path), (await stat(project.at(path))).mtimeMs);
}

const ADD_AND_CHANGE = [
  '*** Begin Patch',
  ...['*** Update File: a.txt', '@@', '-a', '+A'],
  ...['*** Add File: deep/er/new.txt', '+n'],
  ...['*** Delete File: gone.txt', '*** Update File: b.txt', '@@', '-b', '+B'],
  '*** End Patch',
].join('\n');
const BEFORE = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'g\n' };

describe('patch', () => {
  let project: TestProject;
  afterEach(() => project.dispose());

  describe.each(PATCH_VECTORS)('%s', (_kind, vectors) => {
    it.each(vectors.map((vector) => [vector.title, vector] as const))('%s', async (_title, vector) => {
      project = await createTestProject(vector.before);
      for (const path of vector.read ?? []) await read(project, path);
      const run = patchTool.execute({ patch: vector.patch }, project.ctx, toolOptions());
      if ('refused' in vector.after) {
        expect(await codeOfRejection(run)).toBe(vector.after['refused']);
        expect(await tree(project.root)).toEqual(vector.before);
      } else {
        await run;
        expect(await tree(project.root)).toEqual(vector.after);
      }
    });
  });

  it('says what became of every file, and keeps what the card needs', async () => {
    project = await createTestProject(BEFORE);
    const output = await patchTool.execute({ patch: ADD_AND_CHANGE }, project.ctx, toolOptions());
    expect(textOf(output)).toBe('M a.txt +1 -1\nA deep/er/new.txt +1 -0\nD gone.txt +0 -1\nM b.txt +1 -1');
    const view = patchTool.presentResult?.(
      { patch: ADD_AND_CHANGE },
      { content: output.content, isError: false, meta: output.meta },
    );
    expect(view).toMatchObject({ card: 'diff', title: '4 files · +3 -3' });
    expect(await project.ctx.readState(project.at('a.txt'))).toEqual({ kind: 'fresh' });
  });

  it.each([1, 2, 3, 4])('takes everything back when the disk fails at file %d', async (failing) => {
    project = await createTestProject(BEFORE);
    const inodes = async (): Promise<readonly bigint[]> =>
      Promise.all(
        Object.keys(BEFORE).map(async (name) => (await stat(project.at(name), { bigint: true })).ino),
      );
    const before = await inodes();
    let calls = 0;
    const tool = createPatchTool({
      rename: async (from, to) => {
        calls += 1;
        if (calls === failing) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        await rename(from, to);
      },
    });
    await expect(tool.execute({ patch: ADD_AND_CHANGE }, project.ctx, toolOptions())).rejects.toMatchObject({
      code: 'fs.failed',
      message: 'nothing was changed: the disk is full; every file is as it was',
    });
    expect(await tree(project.root)).toEqual(BEFORE);
    expect(await readdir(project.root)).toHaveLength(3);
    expect(await inodes()).toEqual(before);
  });

  it('refuses a file that changed since it was read, and every other file with it', async () => {
    project = await createTestProject(BEFORE);
    await read(project, 'b.txt');
    await writeFile(project.at('b.txt'), 'b\nmore\n');
    const run = patchTool.execute({ patch: ADD_AND_CHANGE }, project.ctx, toolOptions());
    expect(await codeOfRejection(run)).toBe('fs.stale');
    expect(await readFile(project.at('a.txt'), 'utf8')).toBe('a\n');
  });

  it('keeps mode bits, moves a script as a script, and sets the bit that git asks for', async () => {
    project = await createTestProject({ 'run.sh': 'a\n', 'plain.sh': 'p\n' });
    await chmod(project.at('run.sh'), 0o750);
    const patch = [
      ...[
        'diff --git a/run.sh b/moved.sh',
        'similarity index 50%',
        'rename from run.sh',
        'rename to moved.sh',
      ],
      ...['--- a/run.sh', '+++ b/moved.sh', '@@ -1 +1 @@', '-a', '+b'],
      ...['diff --git a/plain.sh b/plain.sh', 'old mode 100644', 'new mode 100755', ''],
    ].join('\n');
    await patchTool.execute({ patch }, project.ctx, toolOptions());
    expect((await stat(project.at('moved.sh'))).mode & 0o111).not.toBe(0);
    expect((await stat(project.at('plain.sh'))).mode & 0o111).toBe(0o111);
  });

  it('changes the target of a link inside the project, and neither deletes nor moves a link', async () => {
    project = await createTestProject({ 'real.txt': 'a\n' });
    await symlink('real.txt', project.at('l.txt'));
    const update = '*** Begin Patch\n*** Update File: l.txt\n@@\n-a\n+b\n*** End Patch';
    await patchTool.execute({ patch: update }, project.ctx, toolOptions());
    expect((await lstat(project.at('l.txt'))).isSymbolicLink()).toBe(true);
    expect(await readFile(project.at('real.txt'), 'utf8')).toBe('b\n');
    const remove = '*** Begin Patch\n*** Delete File: l.txt\n*** End Patch';
    expect(await codeOfRejection(patchTool.execute({ patch: remove }, project.ctx, toolOptions()))).toBe(
      'patch.link',
    );
  });

  it('writes through no link that leaves the project, and to no path that was not decided', async () => {
    project = await createTestProject();
    await symlink(project.outside, project.at('out'));
    const patch = '*** Begin Patch\n*** Add File: out/x.txt\n+x\n*** End Patch';
    expect(await codeOfRejection(patchTool.execute({ patch }, project.ctx, toolOptions()))).toBe(
      'path.link_leaves_project',
    );
    const elsewhere = toolOptions({ decidedPaths: [project.at('y.txt')] });
    const plain = patch.replace('out/x.txt', 'x.txt');
    expect(await codeOfRejection(patchTool.execute({ patch: plain }, project.ctx, elsewhere))).toBe(
      'path.changed',
    );
    expect(await readdir(project.outside)).toEqual([]);
  });

  it('refuses folders, binary files and folders in the way, each by name', async () => {
    project = await createTestProject();
    await mkdir(project.at('folder'));
    await writeFile(project.at('a.bin'), Buffer.from([1, 0, 2, 3, 0]));
    await link(project.at('a.bin'), project.at('b.bin'));
    const change = (path: string): string =>
      `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`;
    const codes = await Promise.all(
      ['folder', 'a.bin', 'missing'].map((path) =>
        codeOfRejection(patchTool.execute({ patch: change(path) }, project.ctx, toolOptions())),
      ),
    );
    expect(codes).toEqual(['fs.is_folder', 'fs.binary', 'fs.not_found']);
    const remove = '*** Begin Patch\n*** Delete File: a.bin\n*** End Patch';
    expect(textOf(await patchTool.execute({ patch: remove }, project.ctx, toolOptions()))).toBe(
      'D a.bin +0 -0',
    );
    expect(await readdir(project.root)).toEqual(['b.bin', 'folder']);
  });

  it('claims every path that a header names, and none of a patch that cannot be read', async () => {
    project = await createTestProject();
    const patch = [
      ...['diff --git a/x b/../y', 'similarity index 100%', 'rename from x', 'rename to ../y'],
      ...[
        'diff --git a/z b/z',
        'deleted file mode 100644',
        '--- a/z',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-z',
        '',
      ],
    ].join('\n');
    const claims = patchTool.describeCall?.({ patch }, claimContext);
    expect(claims?.paths?.filter(({ access }) => access === 'write').map(({ path }) => path)).toEqual([
      'x',
      '../y',
      'z',
    ]);
    expect(claims).toMatchObject({ command: null, cwd: '/ws', urls: [] });
    expect(patchTool.describeCall?.({ patch: 'no patch' }, claimContext).paths).toEqual([]);
  });

  it('shows what it would do from its input alone', async () => {
    project = await createTestProject();
    expect(patchTool.presentCall?.({ patch: ADD_AND_CHANGE })).toEqual({
      card: 'diff',
      title: 'a.txt and 3 more',
      diffs: [
        { path: 'a.txt', oldText: 'a', newText: 'A' },
        { path: 'deep/er/new.txt', oldText: null, newText: 'n\n' },
        { path: 'gone.txt', oldText: '', newText: '' },
        { path: 'b.txt', oldText: 'b', newText: 'B' },
      ],
      locations: ['a.txt', 'deep/er/new.txt', 'gone.txt', 'b.txt'].map((path) => ({ path })),
    });
  });

  it('refuses other inputs', async () => {
    project = await createTestProject();
    for (const input of [null, {}, { patch: 3 }, { patch: '' }]) {
      expect(
        await codeOfRejection(patchTool.execute(input as { patch: string }, project.ctx, toolOptions())),
      ).toBe('tool.bad_input');
    }
  });
});
