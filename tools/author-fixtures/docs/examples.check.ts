// Runs every example of docs/authors/tools.md; the spec puts it beside the files that it takes out of the page.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Tool } from '@wrongstack/core';
import {
  assertPurePresenters,
  collectStream,
  createTestContext,
  createTestHost,
  type TestHost,
  testOptions,
} from '@wrongstack/core/testing';
import { appendLineTool } from './append-line.js';
import { countDownTool } from './count-down.js';
import { echoTool } from './echo.js';
import { createLookupTool } from './lookup.js';
import { createRunScriptTool } from './run-script.js';
import { createPageTitleTool } from './page-title.js';
import * as textModule from './text-module.js';
import textPlugin from './text-plugin.js';
import { wordCountTool } from './word-count.js';

describe('the examples of the page about tools', () => {
  let folder: string;
  let host: TestHost;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'page-')));
    host = createTestHost({ projectRoot: folder, credentials: { PAGE_TOKEN: 'token-1234567' } });
  });
  afterEach(() => {
    host.dispose();
    rmSync(folder, { recursive: true });
  });

  const call = async (tool: Tool, input: unknown) => {
    if (host.kernel.tools.get(tool.name) === undefined) host.kernel.tools.register(tool, 'page');
    await host.run([{ calls: [{ name: tool.name, input }] }, { text: 'done' }]);
    return host.calls.at(-1);
  };

  it('word-count.ts', async () => {
    expect(await call(wordCountTool, { text: 'a longer text', longest: true })).toMatchObject({
      text: '{"words":3,"longest":"longer"}',
    });
    expect(await call(wordCountTool, { text: 7 })).toMatchObject({ isError: true });
  });

  it('echo.ts', async () => {
    expect(await call(echoTool, { text: 'hi' })).toMatchObject({ text: '{"echoed":"hi"}' });
    expect(await call(echoTool, { text: 'x'.repeat(1001) })).toMatchObject({ isError: true });
  });

  it('text-plugin.ts and text-module.ts', async () => {
    const registered: string[] = [];
    const tools = { registerAll: (all: readonly Tool[]) => registered.push(...all.map(({ name }) => name)) };
    await textPlugin.setup({ tools } as never);
    const ctx = createTestContext({ projectRoot: folder });
    textModule.apply(ctx);
    expect(registered).toEqual(['word_count', 'say_again']);
    expect(ctx.registered).toEqual([wordCountTool]);
  });

  it('run-script.ts', async () => {
    writeFileSync(path.join(folder, 'nine.js'), 'console.log("ran"); process.exitCode = 9;');
    const tool = createRunScriptTool({ PATH: '/usr/bin:/bin' });
    const logged = await call(tool, { file: 'nine.js' });
    expect(logged).toMatchObject({ isError: false, text: 'ran\n[exit code: 9]' });
    const result = { content: logged?.content ?? [], isError: false, meta: logged?.meta };
    expect(tool.presentResult?.({ file: 'nine.js' }, result)).toEqual({
      card: 'terminal',
      output: 'ran\n',
      exitCode: 9,
    });
    assertPurePresenters(tool, [{ args: { file: 'nine.js' }, results: [result] }]);
  });

  it('count-down.ts', async () => {
    const ctx = createTestContext({ projectRoot: folder });
    const { events, output } = await collectStream(
      countDownTool.executeStream({ from: 2 }, ctx, testOptions()),
    );
    expect(output).toEqual({ counted: 2 });
    expect(events.map(({ type }) => type)).toEqual([
      'log',
      'partial_output',
      'metric',
      'partial_output',
      'metric',
      'final',
    ]);
    host.kernel.tools.register(countDownTool, 'page');
    await host.run([{ calls: [{ name: 'count_down', input: { from: 1 } }] }, { text: 'done' }]);
    expect(host.calls).toMatchObject([{ text: '{"counted":1}' }]);
  });

  it('lookup.ts', async () => {
    const log: string[] = [];
    const tool = createLookupTool(async () => {
      log.push('opened');
      return { find: (word) => [`${word}!`], close: () => void log.push('closed') };
    });
    host.kernel.tools.register(tool, 'page');
    const twice = ['a', 'b'].map((word) => ({ name: 'lookup', input: { word } }));
    await host.run([{ calls: twice }, { text: 'done' }]);
    // Calls that change nothing run side by side, so their results come in any order.
    expect(host.calls.map(({ text }) => text).sort()).toEqual(['["a!"]', '["b!"]']);
    expect(log).toEqual(['opened', 'closed']);
  });

  it('append-line.ts, beside its own test', async () => {
    expect(await call(appendLineTool, { path: 'a.txt', line: 'a\nb' })).toMatchObject({ isError: true });
    expect(await call(appendLineTool, { path: '../a.txt', line: 'a' })).toMatchObject({ isError: true });
    expect(await call(appendLineTool, { path: 'new.txt', line: 'a' })).toMatchObject({
      text: 'appended to new.txt',
    });
  });

  it('page-title.ts', async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('<html><title> Tea </title></html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const permitted = createPageTitleTool({ permitAddress: () => true });
    expect(await call(permitted, { url })).toMatchObject({ text: 'Tea' });
    expect(seen).toEqual(['Bearer token-1234567']);
    server.close();
    host.kernel.tools.unregister('page_title');
    expect(await call(createPageTitleTool(), { url })).toMatchObject({ isError: true });
  });
});
