import { Ajv } from 'ajv';
import { NO_USAGE, type RunStatus } from '@wrongstack/contracts';
import { genericViews } from '../call-views.js';
import type { TerminalEvent } from '../event-source.js';
import { outcomeOf } from '../run-result.js';
import { DENIED, decision, event, executed, lookFor, SOFT_FLOOR, CAPS } from '../testing/fixtures.js';
import { ManualTime } from '../testing/manual-time.js';
import { STREAM_SCHEMA } from '../testing/stream-schema.js';
import { createTheme } from '../theme.js';
import { escapeJson, jsonLine } from './json-line.js';
import { RunCollector, type RunFacts } from './run-collector.js';
import { HeadlessText, JsonResult, StreamJson, type RunOutput } from './run-output.js';

const USAGE = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 5, cacheWriteTokens: 0 };
const POLICY = { id: 'payments', revision: 42, state: 'fresh' };

/** A run with everything in it: a read, a denied call, a parked one, a task, a retry, a subagent. */
const RUN: readonly TerminalEvent[] = [
  event('run.started', { model: 'm', resumed: false, tools: ['bash', 'read'], mode: 'default' }),
  event('model.retry', { attempt: 1, of: 6, waitMs: 4_000, status: 429, reason: 'busy' }),
  event('message.delta', { message: 'm1', text: 'thinking aloud', thinking: true }),
  event('message.delta', { message: 'm1', text: 'Looking.', thinking: false }),
  event('message.completed', { message: 'm1', text: 'Looking.', stopReason: 'tool_use', usage: USAGE }),
  event('tool.requested', { call: 'c1', name: 'read', input: { path: 'a.ts' } }),
  event('tool.decided', {
    call: 'c1',
    name: 'read',
    decision: decision({
      verdict: 'allow',
      floors: [{ ...SOFT_FLOOR, loweredBy: { kind: 'trust', id: 'g1' } }],
    }),
  }),
  event('tool.started', { call: 'c1', name: 'read', estimatedDurationMs: null }),
  event('tool.progress', { call: 'c1', name: 'read', event: { type: 'metric', data: { bytes: 3 } } }),
  executed('c1', 'read', { files: [{ path: 'a.ts', added: 2, removed: 1 }], exitCode: 0 }),
  event('tool.requested', { call: 'c2', name: 'bash', input: { command: 'kubectl drain n1' } }),
  event('tool.decided', { call: 'c2', name: 'bash', decision: DENIED }),
  executed('c2', 'bash', { status: 'denied', isError: true }),
  event('tool.requested', { call: 'c3', name: 'edit', input: { path: 'infra/a.tf' } }),
  event('approval.waiting', {
    call: 'c3',
    name: 'edit',
    approval: 'ap-1',
    need: 2,
    have: 0,
    expiresAt: null,
  }),
  event('tool.parked', { call: 'c3', name: 'edit', approval: 'ap-1', expiresAt: null }),
  event('approval.resolved', { call: 'c3', name: 'edit', approval: 'ap-1', outcome: 'expired', by: [] }),
  {
    name: 'task.changed',
    payload: { task: 't-1', call: 'c1', state: 'completed', exitCode: 0 },
  } as unknown as TerminalEvent,
  { name: 'policy.changed', payload: { state: 'stale', revision: 42, ageSeconds: 60 } },
  event('message.completed', {
    message: 'm2',
    text: 'Done: all\x1b[31m fine\u202e\u009b.',
    stopReason: 'end_turn',
    usage: USAGE,
  }),
  { name: 'error', payload: { code: 'x', message: 'a warning', hint: null, fatal: false } },
  event('run.finished', { status: 'completed', turns: 2, usage: USAGE, durationMs: 42_000 }),
];

function factsOf(over: Partial<RunFacts> = {}): RunFacts {
  return {
    session: 's-20f1',
    run: 'r-1',
    model: 'm',
    costUsd: 0.04,
    policy: POLICY,
    tolerateDenials: false,
    status: 'completed',
    durationMs: 42_000,
    error: null,
    ...over,
  };
}

class Sink {
  text = '';
  write(text: string): void {
    this.text += text;
  }
}

function play(
  make: (stdout: Sink, stderr: Sink, time: ManualTime) => RunOutput,
  events = RUN,
  facts = factsOf(),
) {
  const [stdout, stderr, time] = [new Sink(), new Sink(), new ManualTime()];
  const output = make(stdout, stderr, time);
  const collector = new RunCollector();
  for (const one of events) {
    collector.handle(one);
    output.handle(one);
  }
  output.finish(collector.result(facts));
  return { stdout: stdout.text, stderr: stderr.text };
}

const theme = createTheme({ ...CAPS, plain: true, color: false });
const stream = (stdout: Sink, stderr: Sink, time: ManualTime): RunOutput =>
  new StreamJson({
    stdout,
    stderr,
    theme,
    clock: time,
    start: { version: '1.0', cwd: '/home/me/pay', policy: POLICY },
    origin: () => ({ session: 's-20f1', run: 'r-1' }),
  });
// A line as a reader in another language would see it: any JSON object.
const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));

describe('stream-json', () => {
  const valid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(STREAM_SCHEMA);

  it('writes lines of the promised shape, numbered, the result last', () => {
    const { stdout, stderr } = play(stream);
    const lines = linesOf(stdout);
    for (const line of lines) {
      expect(
        valid(line)
          ? []
          : [line['type'], valid.errors?.filter((error) => error.keyword !== 'const').slice(0, 3)],
      ).toEqual([]);
    }
    expect(lines.map((line) => line['seq'])).toEqual(lines.map((_, index) => index));
    expect(lines.at(-1)?.['type']).toBe('result');
    expect(lines.filter((line) => line['type'] === 'result')).toHaveLength(1);
    expect(stderr).toBe('');
  });

  it('has one tool.executed for each call but the parked one', () => {
    const lines = linesOf(play(stream).stdout);
    const calls = (type: string): unknown[] =>
      lines.filter((line) => line['type'] === type).map((line) => line['call']);
    expect(calls('tool.requested')).toEqual(['c1', 'c2', 'c3']);
    expect(calls('tool.executed')).toEqual(['c1', 'c2']);
  });

  it('says who decided, and a grant of the user as the user', () => {
    const decided = linesOf(play(stream).stdout).filter((line) => line['type'] === 'tool.decided');
    expect(decided[0]).toMatchObject({
      verdict: 'allow',
      floors: [],
      grants: [{ kind: 'user', id: 'g1', lowers: 'bash' }],
    });
    expect(decided[1]).toMatchObject({
      verdict: 'deny',
      by: { kind: 'rule', id: 'no-prod-kube', tier: 'team', document: 'payments', revision: 42 },
      instead: 'open a deploy request',
    });
  });

  it('reports a run that failed before it began', () => {
    const error = {
      code: 'config.invalid',
      message: 'config.json:3 unknown key',
      hint: 'wstack config path',
    };
    const [line, ...rest] = linesOf(play(stream, [], factsOf({ status: 'failed', error })).stdout);
    expect(rest).toEqual([]);
    expect(valid(line)).toBe(true);
    expect(line).toMatchObject({ type: 'result', status: 'failed', exitCode: 1, text: '', error });
  });

  it('keeps what would be obeyed or hidden out of the bytes, and in the data', () => {
    const { stdout } = play(stream);
    expect(stdout).toMatch(/^[^\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]*$/);
    expect(linesOf(stdout).at(-1)?.['text']).toBe('Done: all\x1b[31m fine\u202e\u009b.');
  });

  it('writes notes of the app to stderr', () => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    stream(stdout, stderr, new ManualTime()).note([[{ text: 'careful', tone: 'asks' }]]);
    expect([stdout.text, stderr.text]).toEqual(['', 'careful\n']);
  });
});

describe('json', () => {
  it('is the result line alone', () => {
    const { stdout } = play((out, err) => new JsonResult({ stdout: out, stderr: err, theme }));
    expect(linesOf(stdout)).toEqual([
      {
        v: 1,
        type: 'result',
        status: 'stopped_by_policy',
        exitCode: 3,
        text: 'Done: all\x1b[31m fine\u202e\u009b.',
        session: 's-20f1',
        run: 'r-1',
        model: 'm',
        turns: 2,
        durationMs: 42_000,
        usage: { inputTokens: 200, outputTokens: 40, cacheReadTokens: 10, cacheWriteTokens: 0 },
        costUsd: 0.04,
        calls: { total: 3, ok: 1, failed: 0, denied: 1, timeout: 0, aborted: 0 },
        denials: [
          {
            call: 'c2',
            tool: 'bash',
            decision: 'd-7f3a',
            rule: 'no-prod-kube',
            because: 'Production cluster changes go through the pipeline',
            instead: 'open a deploy request',
          },
        ],
        pending: [{ call: 'c3', approval: 'ap-1', expiresAt: null }],
        files: [{ path: 'a.ts', added: 2, removed: 1 }],
        tasks: [{ task: 't-1', state: 'completed' }],
        policy: POLICY,
        error: null,
      },
    ]);
  });
});

describe('text', () => {
  const text = (stdout: Sink, stderr: Sink, time: ManualTime): RunOutput =>
    new HeadlessText({
      stdout,
      stderr,
      theme,
      clock: time,
      scheduler: time.scheduler,
      look: () => lookFor({ plain: true, color: false, columns: 101 }),
      views: genericViews,
    });

  it('puts the final answer on stdout and nothing else, with its escapes shown', () => {
    expect(play(text).stdout).toBe('Done: all\\u001b[31m fine\\u202e\\u009b.\n');
  });

  it('tells the story on stderr, and sums it up', () => {
    expect(play(text).stderr.split('\n')).toEqual([
      '! model busy (429) · try 1 of 6 in 4 s',
      'tool: ✓ read a.ts · 4 B · 4 ms',
      'denied: bash denied · nothing ran',
      '  kubectl drain n1',
      '  rule     no-prod-kube (team payments r42) on: kubectl drain n1',
      '  because  Production cluster changes go through the pipeline',
      '  instead  open a deploy request',
      '  /policy ask d-7f3a "reason"  asks for an exception',
      'asks: edit infra/a.tf · 0 of 2 yes · 0 s',
      '  ap-1',
      'asks: edit waits for others (ap-1) · nothing ran',
      '! policy stale: server unreachable 1 min · r42 enforced',
      '✗ a warning',
      'stopped by policy · 3 calls: 1 ran, 1 denied, 1 pending · 1 file +2 -1',
      '210 in, 40 out · $0.04 · 42 s · wstack session resume s-20f1',
      '',
    ]);
  });

  it('keeps the answer so far when the run is interrupted', () => {
    const events = [event('message.delta', { message: 'm1', text: 'half an ans', thinking: false })];
    const { stdout } = play(text, events, factsOf({ status: 'interrupted' }));
    expect(stdout).toBe('half an ans\n');
  });
});

describe('the outcome', () => {
  const none = { denied: 0, pending: 0 };
  it.each<[RunStatus, { denied: number; pending: number }, boolean, RunStatus, number]>([
    ['completed', none, false, 'completed', 0],
    ['completed', { denied: 1, pending: 0 }, false, 'stopped_by_policy', 3],
    ['completed', { denied: 0, pending: 1 }, false, 'stopped_by_policy', 3],
    ['completed', { denied: 1, pending: 1 }, true, 'completed', 0],
    ['stopped_by_policy', none, false, 'stopped_by_policy', 3],
    ['failed', { denied: 1, pending: 0 }, true, 'failed', 1],
    ['limit', none, false, 'limit', 1],
    ['interrupted', { denied: 1, pending: 0 }, false, 'interrupted', 130],
  ])('of %s with %j, tolerated: %s, is %s and %d', (status, stopped, tolerate, expected, exitCode) => {
    expect(outcomeOf(status, stopped, tolerate)).toEqual({ status: expected, exitCode });
  });
});

describe('JSON for terminals', () => {
  it('parses back to what it was', () => {
    const value = { text: '\u202e\u009b\x7f\u{e0041}👩‍💻\ud800 日本', usage: NO_USAGE };
    const row = jsonLine(value);
    expect(JSON.parse(row)).toEqual(value);
    expect(row).not.toMatch(/[\u0080-\u009f\u202e\u200d]/);
    expect(JSON.parse(escapeJson(JSON.stringify(value, null, 2)))).toEqual(value);
  });
});
