import type { PreExecuteOutcome, ToolHookCall } from '@wrongstack/contracts';
import { ToolHooks } from './tool-hooks.js';

const call = {
  callId: 'c-1',
  tool: 'bash',
  owner: 'core',
  input: {},
  cwd: '/',
  projectRoot: '/',
} as ToolHookCall;
const { signal } = new AbortController();

describe('tools/pre-execute', () => {
  it('collects what gates demand', async () => {
    const hooks = new ToolHooks();
    hooks.preExecute(() => undefined, { owner: 'quiet' });
    hooks.preExecute(() => ({ decision: 'ask', reason: 'production' }), { owner: 'gate' });
    await expect(hooks.runPreExecute(call, signal)).resolves.toEqual({
      demands: [{ owner: 'gate', verdict: 'confirm', reason: 'production' }],
      rewritten: undefined,
    });
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['never answers', () => new Promise(() => undefined)],
    ['misspells its answer', () => ({ decision: 'alow', reason: 'x' })],
    ['answers with a text', () => 'allow'],
    ['answers true', () => true],
    ['gives both an input and a decision', () => ({ decision: 'allow', input: {} })],
  ])('denies when a gate %s', async (_what, hook) => {
    const hooks = new ToolHooks();
    hooks.preExecute(hook as () => PreExecuteOutcome, { owner: 'gate', timeoutMs: 20 });
    const { demands } = await hooks.runPreExecute(call, signal);
    expect(demands).toEqual([expect.objectContaining({ owner: 'gate', verdict: 'deny' })]);
  });

  it('reports a rewritten input at once, so that it starts again from validation', async () => {
    const hooks = new ToolHooks();
    hooks.preExecute(() => ({ input: { safe: true } }), { owner: 'rewriter' });
    await expect(hooks.runPreExecute(call, signal)).resolves.toMatchObject({
      rewritten: { input: { safe: true }, by: 'rewriter' },
    });
  });

  it('goes on where a hook hands back an equal input', async () => {
    const hooks = new ToolHooks();
    hooks.preExecute(({ input }) => ({ input: structuredClone(input) }), { owner: 'normaliser' });
    hooks.preExecute(() => ({ decision: 'deny', reason: 'no' }), { owner: 'gate' });
    await expect(hooks.runPreExecute(call, signal)).resolves.toMatchObject({
      demands: [{ owner: 'gate', verdict: 'deny' }],
      rewritten: undefined,
    });
  });

  it('is gone after disposal', async () => {
    const hooks = new ToolHooks();
    hooks.preExecute(() => ({ decision: 'deny', reason: 'no' }), { owner: 'gate' })();
    expect(hooks.list()).toEqual([]);
    await expect(hooks.runPreExecute(call, signal)).resolves.toMatchObject({ demands: [] });
  });
});

describe('tools/post-execute', () => {
  const result = { content: [{ type: 'text' as const, text: 'raw' }], isError: false };

  it('lets each hook inspect or replace what the previous left', async () => {
    const hooks = new ToolHooks();
    hooks.postExecute(() => undefined, { owner: 'observer' });
    hooks.postExecute(
      (_call, { content }) => ({ content: [...content, { type: 'text', text: 'more' }], isError: false }),
      {
        owner: 'transformer',
      },
    );
    const { content } = await hooks.runPostExecute(call, result, signal);
    expect(content).toEqual([
      { type: 'text', text: 'raw' },
      { type: 'text', text: 'more' },
    ]);
  });

  it('passes a failure on: the result may not be what it should be', async () => {
    const hooks = new ToolHooks();
    hooks.postExecute(() => Promise.reject(new Error('cannot redact')), { owner: 'redactor' });
    await expect(hooks.runPostExecute(call, result, signal)).rejects.toThrow('cannot redact');
  });
});
