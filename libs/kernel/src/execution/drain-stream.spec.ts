import type { ToolStreamEvent } from '@wrongstack/contracts';
import { use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

describe('draining a stream', () => {
  let test: TestKernel;
  beforeEach(() => (test = new TestKernel()));
  afterEach(() => test.dispose());

  const stream = async (events: readonly unknown[]) => {
    test.tool({
      name: 'streams',
      execute: () => Promise.reject(new Error('execute must not be called where there is a stream')),
      async *executeStream() {
        for (const event of events) yield event as ToolStreamEvent;
      },
    });
    return test.call(use('streams', {}));
  };
  const final = (output: unknown) => ({ type: 'final', output });

  it('publishes each non-final event and returns the output of final', async () => {
    const events = [
      { type: 'log', text: 'looking' },
      { type: 'metric', data: { files: 3 } },
      { type: 'file_changed', data: { path: '/a' } },
      { type: 'warning', text: 'slow' },
    ];
    const outcome = await stream([...events, final('all')]);
    expect(outcome.status).toBe('ok');
    expect(textOf(outcome)).toBe('all');
    expect(test.payloads('tool.progress').map(({ event }) => event)).toEqual(events);
  });

  it.each([
    ['no final', [{ type: 'log', text: 'x' }], 'ended without a final event'],
    ['nothing at all', [], 'ended without a final event'],
    ['two finals', [final(1), final(2)], 'second final'],
    ['something after final', [final(1), { type: 'log', text: 'x' }], 'log after final'],
    ['an unknown event', [{ type: 'progress', text: 'x' }, final(1)], 'no stream event (type progress)'],
    ['no event', ['text', final(1)], 'no stream event (string)'],
  ])('%s is an error that says so', async (_what, events, message) => {
    const outcome = await stream(events);
    expect(outcome.status).toBe('failed');
    expect(textOf(outcome)).toContain(message);
    expect(textOf(outcome)).toContain('exactly one final event, last');
  });

  it('masks a secret that two pieces share', async () => {
    test.scrubber.learn('topsecretvalue');
    await stream([
      { type: 'partial_output', text: 'a tops' },
      { type: 'partial_output', text: 'ecretvalue b' },
      final('x'),
    ]);
    const shown = test
      .payloads('tool.progress')
      .map(({ event }) => event.text)
      .join('');
    expect(shown).toBe('a *** b');
  });

  it('bounds how much is announced, and says what was left out; the result is not affected', async () => {
    const flood = Array.from({ length: 5_000 }, (_, index) => ({ type: 'log', text: `event ${index}` }));
    const outcome = await stream([...flood, final('whole')]);
    const seen = test.payloads('tool.progress').map(({ event }) => event.text as string);
    expect(seen.length).toBeLessThan(1_000);
    expect(seen.at(-1)).toMatch(/\d+ progress events were left out/);
    expect(textOf(outcome)).toBe('whole');
  });

  it('joins streamed text instead of dropping it', async () => {
    const pieces = Array.from({ length: 2_000 }, (_, index) => ({
      type: 'partial_output',
      text: `${index}\n`,
    }));
    await stream([...pieces, final('x')]);
    const seen = test.payloads('tool.progress').map(({ event }) => event.text as string);
    expect(seen.length).toBeLessThan(500);
    expect(seen.join('')).toBe(pieces.map(({ text }) => text).join(''));
  });
});
