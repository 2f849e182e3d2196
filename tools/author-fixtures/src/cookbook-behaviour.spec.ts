import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineTool, type PresentableResult } from '@wrongstack/core';
import {
  assertPurePresenters,
  createTestAgent,
  createTestContext,
  createTestHost,
  testOptions,
} from '@wrongstack/core/testing';
import type { TestHost } from '@wrongstack/core/testing';
import { facts, typed } from '../cookbook/src/argument-types.js';
import * as myTool from '../cookbook/src/my-tool.js';
import { findTool, runTool, saveTool } from '../cookbook/src/notifying.js';

describe('the cookbook', () => {
  let project: string;
  let host: TestHost;
  beforeEach(() => {
    project = mkdtempSync(path.join(tmpdir(), 'cookbook-'));
    host = createTestHost({ projectRoot: project });
  });
  afterEach(() => {
    host.dispose();
    rmSync(project, { recursive: true });
  });

  const call = async (name: string, input: unknown) => {
    await host.run([{ calls: [{ name, input }] }, { text: 'done' }]);
    return host.calls.at(-1);
  };
  const result = (text: string, meta?: unknown, isError = false): PresentableResult => ({
    content: [{ type: 'text', text }],
    isError,
    ...(meta !== undefined && { meta }),
  });

  it('has the minimal module register a tool that reads a file, asked for first', async () => {
    const ctx = createTestContext({ projectRoot: project });
    myTool.apply(ctx);
    const [tool] = ctx.registered;
    if (tool === undefined) throw new Error('nothing was registered');
    host.kernel.tools.register(tool, 'my-tool');
    const file = path.join(project, 'a.txt');
    writeFileSync(file, 'from disk');
    expect(await call('read_file', { path: file })).toMatchObject({ status: 'ok', text: 'from disk' });
    expect(host.asked).toHaveLength(1);
  });

  it('tells the model a schema that was made of the parameters', async () => {
    myTool.apply({ ...createTestContext({ projectRoot: project }), tools: host.kernel.tools });
    await host.run([{ text: 'hello' }]);
    expect(host.requests[0]?.tools).toMatchObject([
      {
        name: 'read_file',
        inputSchema: {
          properties: { path: { type: 'string', description: 'Absolute path' }, limit: { type: 'number' } },
          required: ['path'],
        },
      },
    ]);
  });

  it('infers the types of arguments', () => {
    expect(facts.every(Boolean)).toBe(true);
  });

  it.each<[string, unknown, string]>([
    ['a missing key', {}, 'mode'],
    ['a wrong type', { mode: 1 }, '/mode'],
    ['no member of an enumeration', { mode: 'slow' }, '/mode'],
    ['a fault in an object in a list', { mode: 'fast', edits: [{ path: 'a' }, { line: 1 }] }, '/edits/1'],
    ['a fraction for an integer', { mode: 'fast', edits: [{ path: 'a', line: 0.5 }] }, '/edits/0/line'],
    ['a key that nobody declared', { mode: 'fast', constructor: 1 }, 'constructor'],
  ])('refuses %s before execute runs, through the loop and on its own', async (_what, input, names) => {
    host.kernel.tools.register({ ...typed, permission: 'auto', riskTier: 'safe' });
    expect(await call('typed', input)).toMatchObject({
      status: 'failed',
      isError: true,
      text: expect.stringContaining(names),
    });
    const ctx = createTestContext({ projectRoot: project });
    await expect(typed.execute(input as never, ctx, testOptions())).rejects.toMatchObject({
      code: 'tool.bad_arguments',
      message: expect.stringContaining(names),
    });
  });

  it('validates a tool with raw JSON Schema as well', async () => {
    host.kernel.tools.register(
      defineTool<{ when: string }>({
        name: 'raw',
        description: 'Takes a date.',
        inputSchema: {
          type: 'object',
          properties: { when: { type: 'string', format: 'date' } },
          required: ['when'],
        },
        permission: 'auto',
        mutating: false,
        riskTier: 'safe',
        execute: async ({ when }) => `on ${when}`,
      }),
    );
    expect(await call('raw', { when: '2024-02-29' })).toMatchObject({ text: 'on 2024-02-29' });
    expect(await call('raw', { when: '2023-02-29' })).toMatchObject({ status: 'failed' });
  });

  it('makes an error of what is thrown, and a result of what a command says', async () => {
    host.kernel.tools.register(saveTool);
    host.kernel.tools.register(runTool);
    expect(await call('save_note', { text: '' })).toMatchObject({
      isError: true,
      text: 'Error: text must not be empty',
    });
    expect(await call('run_check', { exit: 9 })).toMatchObject({
      isError: false,
      text: 'checked\n[exit code: 9]',
    });
  });

  it('hands execute its call’s id, name, arguments, agent and signal', async () => {
    let seen: unknown;
    host.kernel.tools.register(
      defineTool({
        name: 'look',
        description: 'Looks at what it gets.',
        parameters: { a: { type: 'integer', required: true } },
        permission: 'auto',
        mutating: false,
        riskTier: 'safe',
        async execute(args, exec) {
          seen = { ...exec, same: exec.arguments === args, aborted: exec.signal?.aborted };
          return 'looked';
        },
      }),
    );
    await host.run([{ calls: [{ id: 'call-7', name: 'look', input: { a: 1 } }] }, { text: 'done' }]);
    expect(seen).toMatchObject({
      callId: 'call-7',
      name: 'look',
      arguments: { a: 1 },
      same: true,
      aborted: false,
      agent: { inject: expect.any(Function) },
    });
  });

  it('keeps card data out of what the model reads, and gives it back from the session log', async () => {
    host.kernel.tools.register(saveTool);
    const logged = await call('save_note', { text: 'tea', before: 'coffee' });
    const diffs = [{ path: 'note.txt', oldText: 'coffee', newText: 'tea' }];
    expect(logged).toMatchObject({ text: 'saved 3 characters', meta: { diffs } });
    expect(JSON.stringify(host.requests.at(-1)?.messages)).not.toContain('oldText');
    expect(
      saveTool.presentResult?.(logged?.input as never, {
        content: logged?.content ?? [],
        isError: false,
        meta: logged?.meta,
      }),
    ).toEqual({ card: 'diff', title: 'Saved', diffs });
  });

  it('lets the next request see an injected note, and wakes nobody', async () => {
    host.kernel.tools.register(saveTool);
    await call('save_note', { text: 'tea' });
    expect(host.requests).toHaveLength(2);
    expect(JSON.stringify(host.requests[0]?.messages)).not.toContain('the note was saved');
    await host.run([{ text: 'hello' }]);
    expect(JSON.stringify(host.requests.at(-1)?.messages)).toContain('the note was saved');
    expect(host.entries).toContainEqual(
      expect.objectContaining({ type: 'inject', source: expect.objectContaining({ plugin: 'notes' }) }),
    );
  });

  it('is safe to inject into an agent that has ended, or into none', async () => {
    const ctx = createTestContext({ projectRoot: project });
    const agent = createTestAgent();
    await saveTool.execute({ text: 'a' }, ctx, testOptions({ agent }));
    agent.dispose();
    await saveTool.execute({ text: 'b' }, ctx, testOptions({ agent }));
    await saveTool.execute({ text: 'c' }, ctx, testOptions());
    expect(agent.injected).toEqual([
      {
        content: [{ type: 'text', text: 'the note was saved' }],
        source: { kind: 'plugin', plugin: 'notes' },
      },
    ]);
  });

  it('announces calls and results under the cookbook’s names too', async () => {
    host.kernel.tools.register(findTool);
    await call('find_note', { word: 'tea' });
    const names = host.events.map(({ name }) => name);
    expect(names.filter((name) => name === 'tool/call' || name === 'tool/result')).toEqual([
      'tool/call',
      'tool/result',
    ]);
  });

  it('presents the three kinds of card', () => {
    expect(findTool.presentCall?.({ word: 'tea' })).toEqual({
      card: 'generic',
      title: 'Find tea',
      kind: 'search',
      rawInput: { word: 'tea' },
      content: [{ type: 'text', text: 'tea' }],
      locations: [{ path: 'note.txt', line: 1 }, { path: 'other.txt' }],
    });
    expect(runTool.presentCall?.({ exit: 0 })).toMatchObject({ card: 'terminal', title: 'check' });
    expect(runTool.presentResult?.({ exit: 9 }, result('x', { output: 'checked\n', exitCode: 9 }))).toEqual({
      card: 'terminal',
      output: 'checked\n',
      exitCode: 9,
    });
    expect(saveTool.presentCall?.({ text: 'tea' })).toMatchObject({
      card: 'diff',
      diffs: [{ path: 'note.txt', oldText: null, newText: 'tea' }],
    });
    expect(saveTool.presentResult?.({ text: 'tea' }, result('no', undefined, true))).toEqual({
      card: 'generic',
      title: 'Not saved',
    });
  });

  it('gives no card of its own, and never a throw, for what an older version logged', () => {
    expect(saveTool.presentCall?.({ contents: 'tea' } as never)).toBeUndefined();
    expect(saveTool.presentResult?.({ text: 'tea' }, result('saved', null))).toBeUndefined();
    expect(runTool.presentResult?.({ exit: 0 }, result('x'))).toBeUndefined();
  });

  it('has pure presenters', () => {
    const diffs = [{ path: 'note.txt', oldText: null, newText: 'tea' }];
    assertPurePresenters(saveTool, [
      { args: { text: 'tea' }, results: [result('saved', { diffs }), result('no', undefined, true)] },
    ]);
    assertPurePresenters(runTool, [
      { args: { exit: 1 }, results: [result('x', { output: '', exitCode: 1 })] },
    ]);
    assertPurePresenters(findTool, [{ args: { word: 'tea' }, results: [result('x')] }]);
  });
});
