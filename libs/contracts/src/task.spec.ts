import type { DecisionId, CallId, SessionId } from './ids.js';
import {
  isFinalState,
  isTaskId,
  mayBecome,
  newTaskId,
  TASK_STATES,
  transitioned,
  type TaskRecord,
} from './task.js';

describe('a task', () => {
  const queued: TaskRecord = {
    id: newTaskId(),
    owner: { tenant: null, user: 'ada', session: 's-1' as SessionId },
    call: 'c-1' as CallId,
    tool: 'bash',
    title: 'npm test',
    inputDigest: 'sha256:0',
    decision: 'd-1' as DecisionId,
    state: 'queued',
    transitions: [{ state: 'queued', at: '2026-01-01T00:00:00.000Z', reason: null }],
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: null,
    endedAt: null,
    exit: null,
    outputBytes: 0,
  };
  const at = '2026-01-01T00:00:01.000Z';

  it('goes on in these steps and no others', () => {
    const steps = TASK_STATES.flatMap((from) =>
      TASK_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(steps).toEqual([
      'queued > running',
      'queued > failed',
      'queued > killed',
      'queued > lost',
      'running > queued',
      'running > stopping',
      'running > completed',
      'running > failed',
      'running > lost',
      'stopping > completed',
      'stopping > failed',
      'stopping > killed',
      'stopping > lost',
    ]);
    expect(TASK_STATES.filter(isFinalState)).toEqual(['completed', 'failed', 'killed', 'lost']);
  });

  it('records each step once, with its time, and when it began and ended', () => {
    const running = transitioned(queued, { state: 'running', at, reason: null }, null);
    expect(running).toMatchObject({ state: 'running', startedAt: at, endedAt: null });
    const lost = transitioned(running, { state: 'lost', at, reason: 'the worker ended' }, null);
    expect(lost).toMatchObject({ state: 'lost', startedAt: at, endedAt: at });
    expect(lost.transitions.map(({ state }) => state)).toEqual(['queued', 'running', 'lost']);
    expect(() => transitioned(lost, { state: 'running', at, reason: null }, null)).toThrow(
      expect.objectContaining({ code: 'task.transition' }),
    );
  });

  it('has an id that is long, printable and fit for a file name; nothing else is one', () => {
    const ids = Array.from({ length: 1_000 }, () => newTaskId());
    expect(ids.every(isTaskId)).toBe(true);
    expect(new Set(ids).size).toBe(1_000);
    for (const text of [
      '',
      't-',
      't-0',
      '../etc',
      `${ids[0] ?? ''}/..`,
      `${ids[0] ?? ''}\n`,
      'T-'.padEnd(26, '0'),
    ]) {
      expect([text, isTaskId(text)]).toEqual([text, false]);
    }
  });
});
