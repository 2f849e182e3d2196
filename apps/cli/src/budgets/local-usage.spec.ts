import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JsonlSessionStore } from '@wrongstack/adapters';
import {
  type CallId,
  newId,
  NO_USAGE,
  type RunId,
  type SessionEntry,
  type SessionLog,
} from '@wrongstack/contracts';
import { LocalUsage } from './local-usage.js';

const PRICES = { small: { input: 1, output: 0 } };
const NOW = Date.parse('2026-12-05T12:00:00Z');
const NONE = { tokens: 0, costUsd: 0, toolCalls: 0 };

describe('LocalUsage', () => {
  let folder: string;
  let now: number;
  let logs: SessionLog[];
  const clock = { now: () => now };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'local-usage-'));
    now = NOW;
    logs = [];
  });
  afterEach(async () => {
    for (const log of logs) await log.close();
    rmSync(folder, { recursive: true });
  });

  const store = (name = '') => new JsonlSessionStore(path.join(folder, name), { clock });
  const usage = () => new LocalUsage({ stores: [store(), store('subagents')], prices: () => PRICES, clock });

  const answer = (ts: string, inputTokens: number, model = 'small'): SessionEntry => ({
    ...{ type: 'assistant_message', ts, content: [], stopReason: 'end_turn', model },
    usage: { ...NO_USAGE, inputTokens },
  });
  const call = (ts: string): SessionEntry => ({
    ...{ type: 'tool_result', ts, call: newId('CallId') satisfies CallId, name: 'read', status: 'ok' },
    ...{ isError: false, content: [], durationMs: 1 },
  });
  async function session(
    entries: readonly SessionEntry[],
    of = store(),
    parent?: SessionLog,
  ): Promise<SessionLog> {
    const log = await of.create({
      ...{ projectRoot: '/p', cwd: '/p', model: 'small' },
      ...(parent && { parent: { session: parent.id, call: newId('CallId'), name: 'explorer' } }),
    });
    for (const entry of entries) await log.append(entry);
    await log.flush();
    logs.push(log);
    return log;
  }

  it('adds up this day and this month over all sessions, projects and subagents, and what the run used itself', async () => {
    const first = await session([
      answer('2026-11-30T23:59:59.999Z', 1_000_000),
      answer('2026-12-01T00:00:00.000Z', 10),
      { ...answer('2026-12-05T00:00:00.000Z', 20), type: 'aside' },
      call('2026-12-05T01:00:00.000Z'),
      answer('2026-12-05T01:00:00.000Z', 1, 'unpriced'),
    ]);
    await session([answer('2026-12-05T02:00:00.000Z', 300)], store('subagents'), first);
    const found = await usage().now(newId('RunId'), { tokens: 1_000, costUsd: 2, toolCalls: 1 });
    expect(found.day).toEqual({ tokens: 1_321, costUsd: expect.closeTo(2.000_321), toolCalls: 2 });
    expect(found.month).toEqual({ tokens: 1_331, costUsd: expect.closeTo(2.000_331), toolCalls: 2 });
  });

  it('counts the run that asks by what it says, not by what of it is in the logs already', async () => {
    const run = newId('RunId');
    const log = await session([
      answer('2026-12-05T09:00:00.000Z', 5),
      { type: 'run_start', ts: '2026-12-05T10:00:00.000Z', run, resumed: false },
      answer('2026-12-05T10:00:01.000Z', 70),
    ]);
    await session([answer('2026-12-05T10:00:02.000Z', 700)], store('subagents'), log);
    expect((await usage().now(run, { ...NONE, tokens: 70 })).day.tokens).toBe(75);
    expect((await usage().now(newId('RunId') satisfies RunId, NONE)).day.tokens).toBe(775);
  });

  it('looks at other sessions again now and then', async () => {
    const mine = usage();
    const run = newId('RunId');
    const log = await session([answer('2026-12-05T09:00:00.000Z', 5)]);
    expect((await mine.now(run, NONE)).day.tokens).toBe(5);
    await log.append(answer('2026-12-05T12:00:30.000Z', 6));
    await log.flush();
    expect((await mine.now(run, { ...NONE, tokens: 1 })).day.tokens).toBe(6);
    now += 61_000;
    expect((await mine.now(run, { ...NONE, tokens: 1 })).day.tokens).toBe(12);
  });

  it('is not known where a log cannot be read: what it holds may be all that was allowed', async () => {
    await session([answer('2026-12-05T09:00:00.000Z', 5)]);
    writeFileSync(path.join(folder, 's-torn.jsonl'), '{"type":"session_start","version":99}\n', {
      mode: 0o600,
    });
    await expect(usage().now(newId('RunId'), NONE)).rejects.toMatchObject({ code: 'budget.unknown' });
  });
});
