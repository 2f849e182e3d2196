import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Tool } from '@wrongstack/core';
import { assertPurePresenters, createTestHost, type TestHost } from '@wrongstack/core/testing';
import { builtInTools } from '@wrongstack/tools';

const tools = builtInTools({
  environment: { PATH: process.env['PATH'], HOME: '/nonexistent' },
  session: { tighten: () => undefined },
});

interface Sample {
  readonly input: unknown;
  /** Calls that have to come first. */
  readonly after?: readonly { readonly name: string; readonly input: unknown }[];
  readonly status?: 'ok' | 'failed';
  /** In the text that the model gets. */
  readonly says?: string;
}

const READ_FIRST = [{ name: 'read', input: { path: 'a.txt' } }];

/** One ordinary call of each tool, as a model makes it. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  read: { input: { path: 'a.txt' }, says: 'one' },
  write: { input: { path: 'b.txt', content: 'two\n' } },
  edit: { input: { path: 'a.txt', old_string: 'one', new_string: 'two' }, after: READ_FIRST },
  glob: { input: { pattern: '*.txt' }, says: 'a.txt' },
  grep: { input: { pattern: 'one' }, says: 'a.txt' },
  tree: { input: {}, says: 'a.txt' },
  bash: { input: { command: 'echo hi; exit 3' }, says: 'hi\n[exit code: 3]' },
  exec: { input: { argv: ['echo', 'hi'] }, says: 'hi' },
  git: { input: { args: ['status'] }, says: '[exit code: 128]' },
  fetch: { input: { url: 'http://127.0.0.1:1/' }, status: 'failed', says: 'loopback' },
  search: { input: { query: 'tea' }, status: 'failed', says: 'net.search' },
  memory: { input: { action: 'write', text: 'tea is hot' } },
  search_memory: { input: { query: 'tea' } },
  find_related_memories: { input: { text: 'tea' } },
  remember: { input: { text: 'tea is hot' } },
  forget: { input: { id: 'm-0123456789' } },
  todo: { input: { items: [{ text: 'drink', state: 'done' }] }, says: '1/1 done' },
  mode: { input: { mode: 'plan' } },
  plan: { input: { title: 'Tea', content: 'Boil water.' } },
  patch: {
    input: { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n' },
    after: READ_FIRST,
  },
  replace: { input: { path: 'a.txt', search: 'one', replacement: 'two' }, after: READ_FIRST },
  diff: { input: { path: 'a.txt', other: 'a.txt' } },
  lint: { input: { runner: 'npm-script' } },
  format: { input: {} },
  typecheck: { input: {} },
  test: { input: { timeoutMs: 20_000 } },
  audit: { input: {} },
  outdated: { input: {} },
  install: { input: { packages: ['x'] } },
  scaffold: { input: { template: 'go', path: 'new-lib' } },
  'codebase-index': { input: { query: 'one' } },
  task_list: { input: {}, status: 'failed', says: 'no tasks' },
  task_output: { input: { task: 't-1' }, status: 'failed' },
  task_kill: { input: { task: 't-1' }, status: 'failed' },
  'tool-help': { input: { name: 'read' }, says: 'read' },
  'tool-search': { input: { query: 'read' }, says: 'read' },
  'tool-use': { input: { tool: 'read', input: { path: 'a.txt' } }, says: 'one' },
  'batch-tool-use': { input: { calls: [{ tool: 'read', input: { path: 'a.txt' } }] }, says: 'one' },
  delegate: { input: { task: 'look around' }, status: 'failed', says: 'no subagent' },
};

describe.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s, called by a model',
  (name, tool: Tool) => {
    let project: string;
    let host: TestHost;
    beforeEach(() => {
      project = realpathSync(mkdtempSync(path.join(tmpdir(), 'built-in-')));
      writeFileSync(path.join(project, 'a.txt'), 'one\n');
      const scripts = { lint: 'x', format: 'x', typecheck: 'x', test: 'x' };
      writeFileSync(path.join(project, 'package.json'), JSON.stringify({ scripts }));
      // A package manager that only answers: what the real ones do is for the tools' own specs.
      mkdirSync(path.join(project, 'node_modules/.bin'), { recursive: true });
      writeFileSync(path.join(project, 'node_modules/.bin/npm'), '#!/bin/sh\necho "{}"\n', { mode: 0o755 });
      host = createTestHost({ projectRoot: project });
      host.kernel.tools.registerAllOrThrow(tools);
    });
    afterEach(() => {
      host.dispose();
      rmSync(project, { recursive: true });
    });

    const sample = SAMPLES[name] ?? { input: {}, says: 'a tool needs a sample in this spec' };

    it('runs nothing when an argument is not its own', async () => {
      const input = { ...Object(sample.input), surplus: 1 };
      await host.run([{ calls: [{ name, input }] }, { text: 'done' }]);
      expect(host.calls).toMatchObject([
        { name, status: 'failed', isError: true, text: expect.stringContaining('surplus') },
      ]);
      expect(host.entries.map(({ type }) => type)).not.toContain('tool_started');
      expect(host.asked).toEqual([]);
    });

    it('is asked about where it says so, is logged, and shows pure cards', async () => {
      const calls = [...(sample.after ?? []), { name, input: sample.input }];
      await host.run([...calls.map((call) => ({ calls: [call] })), { text: 'done' }]);

      const asked = host.asked.map(({ call }) => call.tool.name);
      expect(asked).toEqual(tool.permission === 'confirm' ? [name] : []);
      const logged = host.calls.findLast((call) => call.name === name);
      expect(logged).toMatchObject({
        input: sample.input,
        status: sample.status ?? 'ok',
        isError: sample.status === 'failed',
        text: expect.stringContaining(sample.says ?? ''),
      });
      // What was told to the model is what was logged.
      const told: unknown[] = host.requests.at(-1)?.messages.flatMap<unknown>(({ content }) => content) ?? [];
      expect(told).toContainEqual(expect.objectContaining({ type: 'tool_result', content: logged?.content }));
      const names = host.events.map((event) => event.name);
      expect(names).toEqual(expect.arrayContaining(['tool/call', 'tool.executed', 'tool/result']));

      const result = { content: logged?.content ?? [], isError: false, meta: logged?.meta };
      assertPurePresenters(tool, [
        { args: sample.input, results: [result, { ...result, isError: true, meta: undefined }] },
      ]);
    });
  },
);

describe('all built-in tools', () => {
  it('go when they are disposed of, and can be registered again', () => {
    const host = createTestHost({ projectRoot: tmpdir() });
    const dispose = host.kernel.tools.registerAllOrThrow(tools);
    dispose();
    expect(host.kernel.tools.list()).toEqual([]);
    host.kernel.tools.registerAllOrThrow(tools);
    expect(host.kernel.tools.list().map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    host.dispose();
  });

  it('are all called above', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(tools.map(({ name }) => name).sort());
  });
});
