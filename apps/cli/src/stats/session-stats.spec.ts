import { newId, type SessionEntry, type Usage } from '@wrongstack/contracts';
import { lineText } from '../terminal/lines.js';
import { sparkline, statsLines } from '../terminal/stats-lines.js';
import { lookFor } from '../terminal/testing/fixtures.js';
import { StatsCollector } from './session-stats.js';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');
const USAGE: Usage = {
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

async function* logOf(entries: readonly SessionEntry[]): AsyncGenerator<SessionEntry> {
  yield* entries;
}

function result(name: string, status: 'ok' | 'denied' | 'failed', ts: string): SessionEntry {
  return {
    type: 'tool_result',
    ts,
    call: newId('CallId'),
    name,
    status,
    isError: status !== 'ok',
    content: [],
    durationMs: 1_500,
  };
}

function answer(model: string, ts: string): SessionEntry {
  return { type: 'assistant_message', ts, content: [], stopReason: 'end_turn', usage: USAGE, model };
}

const run = (ts: string): SessionEntry => ({ type: 'run_start', ts, run: newId('RunId'), resumed: false });

async function collected() {
  const collector = new StatsCollector({ small: { input: 1, output: 5 } });
  const today = '2026-11-30T08:00:00.000Z';
  const entries = [
    run('2026-10-01T08:00:00.000Z'),
    result('bash', 'ok', '2026-10-01T08:00:01.000Z'),
    run(today),
    answer('small', today),
    result('bash', 'ok', today),
    result('bash', 'denied', today),
    result('read', 'failed', '2026-11-29T23:59:59.000Z'),
    // A plugin's own entry that poses as nothing of ours.
    { type: 'mine:tool_result', ts: today, name: 'bash' },
  ];
  await collector.add(logOf(entries), '2026-11-01', false);
  await collector.add(
    logOf([run(today), answer('unpriced', today), result('grep', 'ok', today)]),
    '2026-11-01',
    true,
  );
  return collector.stats(NOW, 3);
}

describe('stats of sessions', () => {
  it('add up calls, denials, time, tokens and cost, those of subagents included, within the days that are asked for', async () => {
    const stats = await collected();
    expect(stats).toMatchObject({
      ...{ sessions: 1, runs: 1, calls: 4, denied: 1, durationMs: 6_000 },
      tokens: 2_200_000,
      costUsd: 1.5,
      tools: [
        { tool: 'bash', calls: 2, denied: 1, failed: 0, durationMs: 3_000 },
        { tool: 'grep', calls: 1, denied: 0, failed: 0 },
        { tool: 'read', calls: 1, denied: 0, failed: 1 },
      ],
      days: [
        { day: '2026-11-28', calls: 0, tokens: 0 },
        { day: '2026-11-29', calls: 1, tokens: 0 },
        { day: '2026-11-30', calls: 3, tokens: 2_200_000 },
      ],
    });
    expect(stats.models.map(({ model, costUsd }) => [model, costUsd])).toEqual([
      ['small', 1.5],
      ['unpriced', null],
    ]);
  });

  it('are shown as a sum, charts and tables, in ASCII where the terminal has nothing else', async () => {
    const stats = await collected();
    const shown = statsLines(stats, lookFor()).map(lineText);
    expect(shown[0]).toBe('1 sessions · 1 runs · 4 calls · 1 denied · tools ran 6.0 s · 2.2M tokens · $1.50');
    expect(shown[2]).toBe('calls   | ▃█| most in a day 3');
    expect(shown[4]).toBe('         2026-11-28 → 2026-11-30');
    expect(shown.join('\n')).toMatch(
      /CALLS {2}DENIED {2}FAILED {3}TIME {2}TOOL\n {4}2 {7}1 {7}0 {2}3\.0 s {2}bash/,
    );
    const plain = statsLines(stats, lookFor({ unicode: false }))
      .map(lineText)
      .join('\n');
    expect(plain).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('draw little as little and nothing as nothing', () => {
    expect(sparkline([0, 1, 500, 1_000], true)).toBe(' ▁▄█');
    expect(sparkline([0, 0], true)).toBe('  ');
  });

  it('costs what the model that was asked for costs, where the one that answered has another name', async () => {
    const collector = new StatsCollector({ small: { input: 1, output: 5 } });
    const ts = '2026-11-30T08:00:00.000Z';
    const begun = '2026-10-01T08:00:00.000Z';
    const start = { type: 'session_start', ts: begun, model: 'small' };
    await collector.add(logOf([start, run(ts), answer('small-20261101', ts)]), '2026-11-01', false);
    expect(collector.stats(NOW, 3)).toMatchObject({
      costUsd: 1.5,
      models: [{ model: 'small-20261101', costUsd: 1.5 }],
    });
  });
});
