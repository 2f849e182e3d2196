import { REFUSALS, toolBody } from './tool-body.mjs';

/** A tool of libs/tools: it may import contracts and files of its own library. */
export function ownTool(words) {
  return `import { readFile, stat } from 'node:fs/promises';
import { WrongStackError } from '@wrongstack/contracts';
import { defineTool } from '${words.up}/authoring/define-tool.js';
import { safeResolveReal } from '${words.up}/paths/resolve-path.js';
${toolBody(words)}`;
}

export function ownSpec({ name, constant, file, up }) {
  return `import { deepFreeze, type PresentableResult } from '@wrongstack/contracts';
import { createTestProject, type TestProject, toolOptions } from '${up}/test-context.spec-support.js';
import { ${constant} } from './${file}.tool.js';

describe('${name}', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject({ 'a.txt': 'one\\n\\nthree' });
  });
  afterEach(() => project.dispose());

  const run = (args: unknown, signal?: AbortSignal) =>
    // What a model sends is not what the types say.
    ${constant}.execute(args as never, project.ctx, toolOptions(signal && { signal }));

  it.each([${REFUSALS}  ])('refuses %s', async (_what, args, named) => {
    await expect(run(args)).rejects.toThrow(named);
  });

  it('counts lines, and remembers that the file was read', async () => {
    await expect(run({ path: 'a.txt' })).resolves.toEqual({
      content: [{ type: 'text', text: 'a.txt has 3 lines' }],
      meta: { lines: 3 },
    });
    await expect(run({ path: 'a.txt', blank: false })).resolves.toMatchObject({ meta: { lines: 2 } });
    expect(project.ctx.hasRead(project.at('a.txt'))).toBe(true);
  });

  it('says what is no file in a normal result', async () => {
    const content = (path: string) => ({ content: [{ type: 'text', text: \`\${path} is no file\` }] });
    await expect(run({ path: 'missing.txt' })).resolves.toEqual(content('missing.txt'));
    await expect(run({ path: '.' })).resolves.toEqual(content('.'));
  });

  it('stops when it is aborted', async () => {
    await expect(run({ path: 'a.txt' }, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('claims the file that it reads, and nothing else', () => {
    expect(${constant}.describeCall?.({ path: 'a.txt' }, { cwd: '/ws', projectRoot: '/ws' })).toEqual({
      paths: [{ path: 'a.txt', access: 'read' }],
      command: null,
      cwd: '/ws',
      urls: [],
    });
  });

  it('shows the same cards on every replay', () => {
    const args = deepFreeze({ path: 'a.txt' });
    const result: PresentableResult = deepFreeze({
      content: [{ type: 'text', text: 'a.txt has 3 lines' }],
      isError: false,
      meta: { lines: 3 },
    });
    for (let replay = 0; replay < 2; replay += 1) {
      expect(${constant}.presentCall?.(args)).toEqual({
        card: 'generic',
        title: 'Count the lines of a.txt',
        kind: 'read',
        locations: [{ path: 'a.txt' }],
      });
      expect(${constant}.presentResult?.(args, result)).toEqual({
        card: 'generic',
        title: 'Counted a.txt',
        content: result.content,
      });
    }
    expect(${constant}.presentResult?.(args, { ...result, isError: true })?.title).toBe('Could not count a.txt');
    expect(${constant}.presentCall?.({ file: 'of an older version' } as never)).toBeUndefined();
  });
});
`;
}
