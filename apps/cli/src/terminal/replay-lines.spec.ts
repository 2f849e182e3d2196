import type { SessionEntry } from '@wrongstack/contracts';
import { genericViews } from './call-views.js';
import { SessionReplay } from './replay-lines.js';
import { lookFor, texts } from './testing/fixtures.js';

const ts = '2026-11-30T14:00:00.000Z';
const text = (value: string): { type: 'text'; text: string }[] => [{ type: 'text', text: value }];
const result = (call: string, name: string, status: string, content: string): SessionEntry => ({
  type: 'tool_result',
  ts,
  call,
  name,
  status,
  isError: status !== 'ok',
  content: text(content),
  durationMs: 4,
});

describe('a resumed session', () => {
  it('looks as it did: messages, answers and calls, nothing that only the model was told', () => {
    const entries: SessionEntry[] = [
      { type: 'user_input', ts, content: text('fix it\nplease') },
      { type: 'inject', ts, content: text('task t-1 ended'), source: {} },
      { type: 'assistant_message', ts, content: text('I **will**.') },
      { type: 'tool_use', ts, call: 'c1', name: 'read', input: { path: 'a.ts' } },
      result('c1', 'read', 'ok', 'one\ntwo'),
      { type: 'tool_use', ts, call: 'c2', name: 'bash', input: { command: 'kubectl drain n1' } },
      {
        type: 'decision',
        ts,
        call: 'c2',
        because: 'Production goes through the pipeline',
      },
      result('c2', 'bash', 'denied', 'denied'),
      { type: 'tool_use', ts, call: 'c3', name: 'bash', input: { command: 'sleep 9' } },
      result('c3', 'bash', 'interrupted', 'the session ended'),
      { type: 'tool_use', ts, call: 'c4', name: 'bash', input: { command: 'npm publish' } },
      { type: 'decision', ts, call: 'c4', verdict: 'confirm', because: 'tool bash needs confirmation' },
      result('c4', 'bash', 'denied', 'Denied by the person: not today.'),
      { type: 'plugin:note', ts, text: 'x' },
    ];
    const replay = new SessionReplay(genericViews, lookFor());
    expect(texts(entries.flatMap((entry) => replay.linesOf(entry)))).toEqual([
      '',
      '> fix it',
      '  please',
      'I will.',
      '✓ read a.ts · 2 lines · 4 ms',
      '⊘ bash denied · nothing ran',
      '  kubectl drain n1',
      '  because  Production goes through the pipeline',
      '✗ bash sleep 9 · interrupted',
      '  the session ended',
      '⊘ bash declined · nothing ran',
      '  npm publish',
      '  because  Denied by the person: not today.',
    ]);
  });

  it('tells a call that went on in the background from one that ended', () => {
    const entries: SessionEntry[] = [
      { type: 'tool_use', ts, call: 'c1', name: 'bash', input: { command: 'npm start' } },
      { ...result('c1', 'bash', 'ok', 'task t-1a2b3c runs'), meta: { task: 't-1a2b3c', state: 'running' } },
    ];
    const replay = new SessionReplay(genericViews, lookFor());
    expect(texts(entries.flatMap((entry) => replay.linesOf(entry)))).toEqual([
      '✓ bash npm start · in the background as t-1a2b',
    ]);
  });

  it('says again what a call was that waited for others, when it is decided at last', () => {
    const entries: SessionEntry[] = [
      { type: 'tool_use', ts, call: 'c1', name: 'bash', input: { command: 'npm publish' } },
      result('c1', 'bash', 'parked', 'waits'),
      result('c1', 'bash', 'denied', 'Denied by the person: not today.'),
    ];
    const replay = new SessionReplay(genericViews, lookFor());
    expect(texts(entries.flatMap((entry) => replay.linesOf(entry)))).toEqual([
      '⏸ bash waits for others (c1) · nothing ran',
      '⊘ bash denied · nothing ran',
      '  npm publish',
      '  because  you said no',
    ]);
  });
});
