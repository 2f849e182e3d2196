import { RunView } from './run-view.js';
import { event, executed, lookFor, texts } from './testing/fixtures.js';
import { ManualTime } from './testing/manual-time.js';
import type { Line } from './lines.js';

const USAGE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

function viewed(): { readonly view: RunView; readonly printed: () => string[] } {
  const lines: Line[] = [];
  const view = new RunView({
    look: lookFor,
    clock: new ManualTime(),
    views: {
      call: (tool) => ({ card: 'generic', title: tool }),
      result: () => ({ card: 'generic' }),
    },
    print: (more) => lines.push(...more),
  });
  return { view, printed: () => texts(lines) };
}

describe('a subagent in the transcript', () => {
  it('leaves the call that started it running when its own run ends', () => {
    const { view, printed } = viewed();
    view.handle(event('tool.requested', { call: 'c1', name: 'delegate', input: {} }));
    view.handle(event('tool.started', { call: 'c1', name: 'delegate', estimatedDurationMs: null }));
    const sub = { agent: 'scout', run: 'r-2' };
    view.handle(event('run.started', { model: 'm', resumed: false, tools: [], mode: 'default', ...sub }));
    view.handle(event('tool.requested', { call: 'c2', name: 'read', input: {}, ...sub }));
    view.handle(executed('c2', 'read', sub));
    view.handle(
      event('run.finished', { status: 'completed', turns: 1, usage: USAGE, durationMs: 1, ...sub }),
    );
    expect(printed().some((row) => row.includes('scout: read'))).toBe(true);
    expect(texts(view.liveLines()).some((row) => row.includes('delegate'))).toBe(true);
    view.handle(event('run.finished', { status: 'completed', turns: 1, usage: USAGE, durationMs: 1 }));
    expect(view.liveLines()).toEqual([]);
  });
});
