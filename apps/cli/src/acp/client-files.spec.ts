import path from 'node:path';
import { EditorSandbox, type EditorWorld, TestEditor } from './acp-editor.spec-support.js';

jest.setTimeout(30_000);

let sandbox: EditorSandbox;
let editor: TestEditor;
let session: string;

async function start(world: EditorWorld, unsaved: Readonly<Record<string, string>> = {}): Promise<void> {
  sandbox = await EditorSandbox.create(world);
  editor = new TestEditor(sandbox);
  for (const [name, text] of Object.entries(unsaved)) {
    editor.buffers.set(path.join(sandbox.project, name), text);
  }
  session = await editor.open({ fs: { readTextFile: true, writeTextFile: true } });
}

afterEach(async () => {
  await editor.leave();
  await sandbox.remove();
});

const call = (tool: string, input: unknown, id = 'call-1') => ({ calls: [{ id, tool, input }] });
const read = call('read', { path: 'a.txt' }, 'call-0');
const edit = call('edit', { path: 'a.txt', old_string: 'two', new_string: '2' });

it('reads what the person has typed and not saved', async () => {
  await start(
    {
      files: { 'a.txt': 'one\ntwo\n' },
      turns: [read, { expect: { results: [{ contains: 'typed', lacks: 'one' }] }, text: '.' }],
    },
    { 'a.txt': 'typed\ntwo\n' },
  );
  expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
  expect(await sandbox.read('a.txt')).toBe('one\ntwo\n');
});

it('edits unsaved text that was read, and the open buffer shows it', async () => {
  await start(
    { files: { 'a.txt': 'one\ntwo\n' }, turns: [read, edit, { text: '.' }] },
    { 'a.txt': 'typed\ntwo\n' },
  );
  editor.answers = ['allow_once'];
  await editor.prompt(session, 'go');
  expect(await sandbox.read('a.txt')).toBe('typed\n2\n');
  expect(editor.written.at(-1)).toEqual({ path: path.join(sandbox.project, 'a.txt'), content: 'typed\n2\n' });
});

it('changes nothing where unsaved text was never read', async () => {
  await start(
    {
      files: { 'a.txt': 'one\ntwo\n' },
      turns: [edit, { expect: { results: [{ contains: 'unsaved changes' }] }, text: '.' }],
    },
    { 'a.txt': 'typed\ntwo\n' },
  );
  editor.answers = ['allow_once'];
  expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
  expect(await sandbox.read('a.txt')).toBe('one\ntwo\n');
  expect(editor.written).toEqual([]);
});

it('never asks the editor about a file that policy refused', async () => {
  await start({
    turns: [call('read', { path: '../outside.txt' }), { text: '.' }],
    files: { '../outside.txt': 'x' },
  });
  editor.answers = ['reject_once'];
  await editor.prompt(session, 'go');
  const asked = editor.wire.filter(({ message }) => message['method'] === 'fs/read_text_file');
  expect(asked).toEqual([]);
});

it('tells the open buffer of a new file, which lies on disk already', async () => {
  await start({ turns: [call('write', { path: 'new.txt', content: 'fresh\n' }), { text: '.' }] });
  editor.answers = ['allow_once'];
  await editor.prompt(session, 'go');
  expect(await sandbox.read('new.txt')).toBe('fresh\n');
  expect(editor.written).toEqual([{ path: path.join(sandbox.project, 'new.txt'), content: 'fresh\n' }]);
});
