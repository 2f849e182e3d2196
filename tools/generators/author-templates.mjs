import { REFUSALS, toolBody } from './tool-body.mjs';

/** A tool of somebody outside: @wrongstack/core is all that it knows. */
export function authorTool(words) {
  return `import { readFile, stat } from 'node:fs/promises';
import { defineTool, safeResolveReal, WrongStackError } from '@wrongstack/core';
${toolBody(words)}`;
}

/** The five tests that every tool needs: refusals, each outcome, disposal, the loop, the cards. */
export function authorSpec({ name, constant, file, runner }) {
  const imports =
    runner === 'vitest' ? "import { afterEach, beforeEach, describe, expect, it } from 'vitest';\n" : '';
  return `import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolRegistry } from '@wrongstack/core';
import { assertPurePresenters, createTestHost, type TestHost } from '@wrongstack/core/testing';
${imports}import { ${constant} } from './${file}.tool.js';

describe('${name}', () => {
  let folder: string;
  let host: TestHost;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), '${file}-')));
    writeFileSync(path.join(folder, 'a.txt'), 'one\\n\\nthree');
    host = createTestHost({ projectRoot: folder });
    host.kernel.tools.register(${constant}, 'author');
  });
  afterEach(() => {
    host.dispose();
    rmSync(folder, { recursive: true });
  });

  /** As a model calls it: through validation, the policy and the executor. */
  const call = async (input: unknown) => {
    await host.run([{ calls: [{ name: '${name}', input }] }, { text: 'done' }]);
    return host.calls.at(-1);
  };

  it.each([${REFUSALS}  ])('refuses %s', async (_what, input, named) => {
    expect(await call(input)).toMatchObject({ isError: true, text: expect.stringContaining(named) as string });
  });

  it('counts lines', async () => {
    expect(await call({ path: 'a.txt' })).toMatchObject({
      status: 'ok',
      isError: false,
      text: 'a.txt has 3 lines',
      meta: { lines: 3 },
    });
    expect(await call({ path: 'a.txt', blank: false })).toMatchObject({ meta: { lines: 2 } });
  });

  it('says what is no file in a normal result', async () => {
    expect(await call({ path: 'missing.txt' })).toMatchObject({ isError: false, text: 'missing.txt is no file' });
    expect(await call({ path: '.' })).toMatchObject({ isError: false, text: '. is no file' });
  });

  it('goes when what registered it is disposed of, and comes back when it is loaded again', () => {
    const tools = new ToolRegistry();
    const dispose = tools.register(${constant}, 'author');
    dispose();
    expect(tools.get('${name}')).toBeUndefined();
    tools.register(${constant}, 'author');
    expect(tools.get('${name}')?.owner).toBe('author');
  });

  it('tells the model its result, and logs the call and its result', async () => {
    await call({ path: 'a.txt' });
    expect(JSON.stringify(host.requests.at(-1)?.messages)).toContain('a.txt has 3 lines');
    const logged = host.entries.map(({ type }) => type).filter((type) => type.startsWith('tool_'));
    expect(logged).toEqual(['tool_use', 'tool_started', 'tool_result']);
  });

  it('shows cards that depend on the call and its result alone', async () => {
    const logged = await call({ path: 'a.txt' });
    const args = { path: 'a.txt' };
    const result = { content: logged?.content ?? [], isError: false, meta: logged?.meta };
    assertPurePresenters(${constant}, [{ args, results: [result, { ...result, isError: true }] }]);
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
    expect(${constant}.presentCall?.({ file: 'of an older version' } as never)).toBeUndefined();
  });
});
`;
}
