import type { SessionEntry } from '@wrongstack/contracts';
import { Conversation } from '@wrongstack/kernel';
import { genericViews } from './call-views.js';
import { type LogState, openCallLines } from './open-call-lines.js';
import { lookFor, texts } from './testing/fixtures.js';

const ts = '2026-11-30T14:00:00.000Z';

/** Two calls of one answer, of which the first had begun when the log ends. */
function log(...more: readonly SessionEntry[]): Conversation {
  const conversation = new Conversation();
  const use = (id: string, command: string) => ({ type: 'tool_use', id, name: 'bash', input: { command } });
  const content = [use('c1', 'npm publish'), use('c2', 'npm test')];
  const entries: readonly SessionEntry[] = [
    { type: 'user_input', ts, content: [{ type: 'text', text: 'ship it' }] },
    { type: 'assistant_message', ts, content, stopReason: 'tool_use', usage: {}, model: 'm' },
    { type: 'tool_started', ts, call: 'c1' },
    ...more,
  ];
  for (const entry of entries) conversation.apply(entry);
  return conversation;
}

const shown = (conversation: Conversation, state: LogState): string[] =>
  texts(openCallLines(conversation, state, genericViews, lookFor()));

describe('calls that a log holds no result for', () => {
  it('are interrupted with an unknown effect, or were not run', () => {
    expect(shown(log(), 'left')).toEqual([
      '✗ bash npm publish · interrupted',
      '  no result is in the log: what it did is unknown, and it is never run again by',
      '  itself',
      '⏸ bash npm test · not run',
      '  decided anew when the session is resumed',
    ]);
  });

  it('are under way where another process has the session open', () => {
    expect(shown(log(), 'open elsewhere')).toEqual([
      '⏸ bash npm publish · under way in another process',
      '⏸ bash npm test · under way in another process',
    ]);
  });

  it('are left to the resume that decides them again, but for those that had begun', () => {
    expect(shown(log(), 'being resumed').filter((row) => row.includes('bash'))).toEqual([
      '✗ bash npm publish · interrupted',
    ]);
  });

  it('are all taken for begun where lines are damaged', () => {
    const damaged = log({ type: 'repair', ts, what: 'line 9 is damaged (40 bytes) and was skipped' });
    expect(shown(damaged, 'left').filter((row) => row.includes('bash'))).toEqual([
      '✗ bash npm publish · interrupted',
      '✗ bash npm test · interrupted',
    ]);
  });

  it('are told of where a later turn came over them', () => {
    const later = log({ type: 'user_input', ts, content: [{ type: 'text', text: 'well?' }] });
    expect(shown(later, 'left')).toEqual([
      '! call without a result closed as interrupted: bash c1',
      '! call without a result closed as interrupted: bash c2',
    ]);
  });

  it('are none when each has its result', () => {
    const result = (call: string): SessionEntry => ({
      type: 'tool_result',
      ts,
      call,
      name: 'bash',
      status: 'ok',
      isError: false,
      content: [],
      durationMs: 1,
    });
    expect(shown(log(result('c1'), result('c2')), 'left')).toEqual([]);
  });
});
