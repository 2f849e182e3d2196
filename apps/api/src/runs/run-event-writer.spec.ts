import { type JsonValue, newId, systemClock, WrongStackError } from '@wrongstack/contracts';
import type { ServerRunEvent } from '@wrongstack/contracts/control';
import { RunEventWriter } from './run-event-writer.js';

/** The events of one run, as a store keeps them: numbered without gaps. */
class Kept {
  readonly rows: ServerRunEvent[] = [];
  away = 0;
  /** Writes, and loses the answer. */
  deaf = 0;

  async appendEvents(_run: unknown, events: readonly ServerRunEvent[]): Promise<boolean> {
    if (this.away > 0) {
      this.away -= 1;
      throw new WrongStackError('store.unavailable', 'away');
    }
    if ((events[0]?.seq ?? 0) !== this.rows.length + 1) return false;
    this.rows.push(...events);
    if (this.deaf > 0) {
      this.deaf -= 1;
      throw new WrongStackError('store.unavailable', 'the answer was lost');
    }
    return true;
  }

  async events(_run: unknown, after: number, limit: number): Promise<readonly ServerRunEvent[]> {
    return this.rows.slice(after, after + limit);
  }

  get data(): readonly JsonValue[] {
    return this.rows.map(({ data }) => data);
  }
}

describe('the events of a run on their way to the store', () => {
  const end = new AbortController().signal;
  let kept: Kept;
  let taken: number;
  beforeEach(() => {
    kept = new Kept();
    taken = 0;
  });

  const writer = (limits = { events: 1_000, bytes: 1_000_000, waiting: 1_000 }): RunEventWriter =>
    new RunEventWriter(kept, newId('RunId'), 0, systemClock, () => (taken += 1), limits);

  it('are numbered in order, and what a model says word by word is one event for as long as it waits', async () => {
    const events = writer();
    events.push('run.started', { model: 'm' });
    for (const text of ['It ', 'is ', '42.']) events.push('message.delta', { message: 'a', text });
    events.push('message.delta', { message: 'b', text: 'And ' });
    events.push('tool.requested', { call: 'c' });
    await events.close(end);
    expect(kept.rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(kept.data).toEqual([
      { model: 'm' },
      { message: 'a', text: 'It is 42.' },
      { message: 'b', text: 'And ' },
      { call: 'c' },
    ]);
  });

  it('lose no word that comes while others are being written', async () => {
    const events = writer();
    const words = Array.from({ length: 60 }, (_, index) => `${index} `);
    for (const text of words) {
      events.push('message.delta', { message: 'a', text });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await events.close(end);
    const texts = kept.data.map((data) => (data as { readonly text: string }).text);
    expect(texts.join('')).toBe(words.join(''));
    expect(texts.length).toBeLessThan(words.length);
  });

  it('wait for a store that is away, and are written once although an answer was lost', async () => {
    const events = writer();
    kept.away = 1;
    kept.deaf = 1;
    for (const n of [1, 2, 3]) events.push('task.changed', { n });
    await events.close(end);
    expect(kept.data).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(taken).toBe(0);
  });

  it('end where somebody else has written: the run is not ours any more', async () => {
    const events = writer();
    kept.rows.push({ seq: 1, at: '2026-12-01T00:00:00.000Z', type: 'end', data: null });
    events.push('task.changed', { n: 1 });
    await events.close(end);
    events.push('task.changed', { n: 2 });
    await events.close(end);
    expect([taken, kept.rows.length]).toEqual([1, 1]);
  });

  it('are bounded in number and size, and it is said how many more there were', async () => {
    const events = writer({ events: 3, bytes: 1_000_000, waiting: 1_000 });
    for (let n = 0; n < 10; n += 1) events.push('task.changed', { n });
    await events.close(end);
    expect(kept.rows.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 3 }, () => 'task.changed'),
      'events.lost',
    ]);
    expect(kept.data.at(-1)).toEqual({ count: 7 });
    const large = new Kept();
    const other = new RunEventWriter(large, newId('RunId'), 0, systemClock, () => undefined);
    other.push('tool.executed', {
      output: 'x'.repeat(1_000_000),
      many: Array.from({ length: 5_000 }, () => 'y'),
    });
    await other.close(end);
    expect(JSON.stringify(large.data).length).toBeLessThan(20_000);
    expect(JSON.stringify(large.data)).toContain('996000 characters more');
  });
});
