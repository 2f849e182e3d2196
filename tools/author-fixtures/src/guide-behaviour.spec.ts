import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ToolStreamEvent } from '@wrongstack/core';
import { collectStream, createTestContext, createTestHost, testOptions } from '@wrongstack/core/testing';
import type { TestHost } from '@wrongstack/core/testing';
import { helperTool, state } from '../guide/src/abort-hook.js';
import { children, childTool } from '../guide/src/cleanup.js';
import { echoTool } from '../guide/src/echo.js';
import { myTool } from '../guide/src/my-reader.js';
import { readTool } from '../guide/src/read-file.js';
import { linesTool } from '../guide/src/streaming.js';
import { uploaded, uploadTool } from '../guide/src/upload.js';

/** The tool guide's examples, registered in a real kernel and called by a scripted model. */
describe('the tool guide', () => {
  let project: string;
  let host: TestHost;
  beforeEach(() => {
    project = realpathSync(mkdtempSync(path.join(tmpdir(), 'guide-')));
    host = createTestHost({ projectRoot: project });
  });
  afterEach(() => {
    host.dispose();
    rmSync(project, { recursive: true });
  });

  const call = async (name: string, input: unknown, signal?: AbortSignal) => {
    const turns = [{ calls: [{ name, input }] }, { text: 'done' }];
    await host.run(turns, 'go', signal === undefined ? {} : { signal });
    return host.calls.at(-1);
  };
  const progress = (): readonly ToolStreamEvent[] =>
    host.events
      .filter(({ name }) => name === 'tool.progress')
      .map(({ payload }) => (payload as { event: ToolStreamEvent }).event);

  it('runs the minimal tool, unasked, and tells the model its output', async () => {
    host.kernel.tools.register(echoTool);
    expect(await call('echo', { text: 'hi' })).toMatchObject({ status: 'ok', text: '{"echoed":"hi"}' });
    expect(host.asked).toEqual([]);
    expect(JSON.stringify(host.requests.at(-1)?.messages)).toContain('{\\"echoed\\":\\"hi\\"}');
  });

  it('validates the input before the tool runs', async () => {
    host.kernel.tools.register(echoTool);
    expect(await call('echo', { text: 1 })).toMatchObject({ status: 'failed', isError: true });
    expect(await call('echo', {})).toMatchObject({ text: expect.stringContaining('"text" is missing') });
  });

  it('describes the tool in the system prompt under its heading, and by its usage hint when it has one', async () => {
    host.kernel.tools.register({ ...echoTool, category: 'Cache' });
    host.kernel.tools.register({ ...echoTool, name: 'echo_twice', usageHint: 'Echo, and echo again.' });
    await host.run([{ text: 'hello' }]);
    const prompt = JSON.stringify(host.requests[0]?.system);
    expect(prompt).toContain('## Tool usage');
    expect(prompt).toContain('### Cache\\n- **echo** — Echoes its input back. Useful for testing.');
    expect(prompt).toContain('**echo_twice** — Echo, and echo again.');
  });

  it('asks before a tool that is to be confirmed, and keeps one that is denied from running', async () => {
    host.kernel.tools.register({ ...echoTool, permission: 'confirm' });
    host.kernel.tools.register({ ...echoTool, name: 'never', permission: 'deny' });
    expect(await call('echo', { text: 'hi' })).toMatchObject({ status: 'ok' });
    expect(host.asked.map(({ call: { tool } }) => tool.name)).toEqual(['echo']);
    expect(await call('never', { text: 'hi' })).toMatchObject({ status: 'denied', isError: true });
    expect(host.asked).toHaveLength(1);
  });

  it.each(['Echo', '1echo', 'mcp.echo', ''])('refuses the name %j', (name) => {
    expect(() => host.kernel.tools.register({ ...echoTool, name })).toThrow(
      expect.objectContaining({ code: 'tool.invalid' }),
    );
  });

  it('keeps the capabilities that a tool declares', () => {
    host.kernel.tools.register(myTool);
    expect(host.kernel.tools.get('my-reader')?.capabilities).toEqual(['fs.read']);
  });

  it('publishes what a stream yields and takes its final output for the result', async () => {
    host.kernel.tools.register(linesTool);
    expect(await call('lines', { host: 'a.test' })).toMatchObject({ text: '{"ok":true,"lines":2}' });
    expect(progress()).toMatchObject([
      { type: 'log', text: 'Connecting to a.test…' },
      { type: 'partial_output', text: 'hello from a.test\n' },
      { type: 'partial_output', text: 'bye\n' },
      { type: 'metric', data: { lines: 2 } },
    ]);
  });

  it('uploads the batch and counts', async () => {
    host.kernel.tools.register(uploadTool);
    expect(await call('upload', {})).toMatchObject({ text: '{"count":2}' });
    expect(uploaded).toEqual(['first', 'second']);
    expect(progress().filter(({ type }) => type === 'metric')).toHaveLength(2);
  });

  it.each<[string, ToolStreamEvent[], string]>([
    ['no final event', [{ type: 'log', text: 'a' }], 'without a final event'],
    [
      'two final events',
      [
        { type: 'final', output: 1 },
        { type: 'final', output: 2 },
      ],
      'a second final event',
    ],
    [
      'something after final',
      [
        { type: 'final', output: 1 },
        { type: 'log', text: 'late' },
      ],
      'after final',
    ],
  ])('enforces one final event, last: %s', async (_what, events, says) => {
    const broken = {
      ...linesTool,
      async *executeStream() {
        yield* events;
      },
    };
    host.kernel.tools.register(broken);
    const stream = broken.executeStream();
    await expect(collectStream(stream)).rejects.toMatchObject({ code: 'tool.stream' });
    expect(await call('lines', { host: 'a' })).toMatchObject({
      isError: true,
      text: expect.stringContaining(says),
    });
  });

  it('stops the child of a tool whose run is aborted, through its signal and its cleanup', async () => {
    const script = path.join(project, 'wait');
    writeFileSync(script, `#!${process.execPath}\nsetInterval(() => {}, 1000);\n`, { mode: 0o700 });
    host.kernel.tools.register(childTool);
    const controller = new AbortController();
    host.kernel.events.onPattern('tool.started', () => setTimeout(() => controller.abort(), 50));
    const logged = await call('child', { command: script }, controller.signal);
    expect(logged).toMatchObject({ status: 'aborted', isError: true });
    const [child] = children.splice(0);
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child?.signalCode).toBe('SIGTERM');
  });

  it('ends a call at its time limit, runs its cleanup, and lets the run go on', async () => {
    const ended: string[] = [];
    host.kernel.tools.register({
      ...echoTool,
      timeoutMs: 20,
      execute: (_input, _ctx, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
      cleanup: async () => void ended.push('cleanup'),
    });
    expect(await call('echo', { text: 'hi' })).toMatchObject({ status: 'timeout', isError: true });
    expect(ended).toEqual(['cleanup']);
    expect(host.requests).toHaveLength(2);
  });

  it('runs an abort hook when the run ends, not when the call does', async () => {
    host.kernel.tools.register(helperTool);
    expect(await call('helper', {})).toMatchObject({ text: '{"open":1}' });
    expect(state.open).toBe(0);
    const ctx = createTestContext({ projectRoot: project });
    await helperTool.execute({}, ctx, testOptions());
    expect(state.open).toBe(1);
    await ctx.endRun();
    expect(state.open).toBe(0);
  });

  it('remembers what was read, for the rest of the run', async () => {
    writeFileSync(path.join(project, 'a.txt'), 'text');
    host.kernel.tools.register(readTool);
    const first = JSON.parse((await call('read-file', { path: 'a.txt' }))?.text ?? '');
    expect(first).toEqual({ text: 'text', seenBefore: false, when: expect.any(Number) });
    expect(JSON.parse((await call('read-file', { path: 'a.txt' }))?.text ?? '')).toMatchObject({
      seenBefore: true,
    });
  });

  it('keeps a path inside the project', async () => {
    host.kernel.tools.register(readTool);
    const outside = await call('read-file', { path: '../../etc/passwd' });
    expect(outside).toMatchObject({ isError: true, text: expect.stringContaining('outside') });
  });

  it('cuts an output that is too long and says so', async () => {
    host.kernel.tools.register({ ...echoTool, maxOutputBytes: 200 });
    const long = await call('echo', { text: 'word '.repeat(500) });
    expect(long?.text.length).toBeLessThan(800);
    expect(progress().at(-1)).toMatchObject({ type: 'warning' });
  });
});
