import { describe, it, expect } from 'vitest';
import type { Context } from '@wrongstack/core';
import { echoTool } from '../src/echo.js';

const ctx = {} as Context;
const opts = { signal: new AbortController().signal };

describe('echo', () => {
  it('echoes its input', async () => {
    const out = await echoTool.execute({ text: 'hi' }, ctx, opts);
    expect(out.echoed).toBe('hi');
  });

  it('streams a final event', async () => {
    if (!echoTool.executeStream) return;
    const events = [];
    for await (const e of echoTool.executeStream({ text: 'hi' }, ctx, opts)) events.push(e);
    expect(events.at(-1)?.type).toBe('final');
  });
});
