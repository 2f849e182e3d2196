import { NO_USAGE, type SessionId, type SubagentReport, type SubagentTask } from '@wrongstack/contracts';
import { codeOfRejection, textOf, toolOptions } from '../test-context.spec-support.js';
import { delegateTool, type DelegateInput } from './delegate.tool.js';
import { reportText } from './report-text.js';

const ctx = {} as never;

function report(part: Partial<SubagentReport> = {}): SubagentReport {
  return {
    name: 'scout',
    session: 's-child' as SessionId, // tests name their sessions
    status: 'completed',
    text: 'It is in a.ts.',
    error: null,
    turns: 3,
    durationMs: 10,
    usage: NO_USAGE,
    costUsd: null,
    calls: { total: 4, ok: 3, failed: 0, denied: 1 },
    denials: [
      {
        call: 'c-1' as never,
        tool: 'bash',
        capabilities: ['shell.arbitrary'],
        because: 'shell.arbitrary is not for subagents',
        instead: null,
      },
    ],
    files: [{ path: '/p/a.ts', added: 2, removed: 1 }],
    ...part,
  };
}

async function delegate(input: DelegateInput, part: Partial<SubagentReport> = {}) {
  const tasks: SubagentTask[] = [];
  const subagents = {
    run: async (task: SubagentTask) => {
      tasks.push(task);
      return report(part);
    },
  };
  const output = await delegateTool.execute(input, ctx, toolOptions({ subagents }));
  return { output, task: tasks[0] };
}

describe('delegate', () => {
  it('hands the task on with a budget', async () => {
    const { task } = await delegate({ task: 'find it' });
    expect(task).toEqual({
      task: 'find it',
      budget: { iterations: 30, toolCalls: 100, tokens: 500_000, seconds: 900 },
    });
  });

  it('hands on what was asked for', async () => {
    const { task } = await delegate({
      task: 'find it',
      name: 'scout',
      capabilities: ['fs.read'],
      budget: { iterations: 2, tool_calls: 3, tokens: 4_000, seconds: 5 },
    });
    expect(task).toEqual({
      task: 'find it',
      name: 'scout',
      capabilities: ['fs.read'],
      budget: { iterations: 2, toolCalls: 3, tokens: 4_000, seconds: 5 },
    });
  });

  it('gives back the answer and a short account', async () => {
    const { output } = await delegate({ task: 'find it' });
    expect(textOf(output)).toBe(
      [
        'It is in a.ts.',
        '',
        '[scout: done · 3 turns, 4 calls (3 ok, 1 denied) · session s-child]',
        'denied bash (shell.arbitrary): shell.arbitrary is not for subagents',
        'changed /p/a.ts +2 -1',
      ].join('\n'),
    );
    expect(output).toMatchObject({
      isError: false,
      meta: { subagent: { name: 'scout', session: 's-child', status: 'completed', denied: 1 } },
    });
  });

  it.each<[SubagentReport['status'], string, boolean]>([
    ['stopped_by_policy', 'done, with denied calls', false],
    ['limit', 'stopped by its budget', false],
    ['timeout', 'its time was up', false],
    ['interrupted', 'interrupted', true],
    ['failed', 'failed: the model is unreachable', true],
  ])('says how it ended: %s', async (status, words, isError) => {
    const error = status === 'failed' ? 'the model is unreachable' : null;
    const { output } = await delegate({ task: 'x' }, { status, error, text: '' });
    expect(output.isError).toBe(isError);
    expect(textOf(output)).toContain(words);
    expect(textOf(output)).toMatch(/^\(scout gave no answer\)/);
  });

  it('bounds what it lists', () => {
    const [denial] = report().denials;
    const denials = Array.from({ length: 12 }, () => denial as SubagentReport['denials'][number]);
    expect(
      reportText(report({ denials, files: [] }))
        .split('\n')
        .slice(-2),
    ).toEqual(['denied bash (shell.arbitrary): shell.arbitrary is not for subagents', 'and 2 more']);
  });

  it('starts nothing where there can be no subagents', async () => {
    expect(await codeOfRejection(delegateTool.execute({ task: 'x' }, ctx, toolOptions()))).toBe(
      'subagent.unavailable',
    );
  });

  it.each([
    ['no task', {}],
    ['an empty task', { task: '' }],
    ['a task beyond all measure', { task: 'x'.repeat(32_001) }],
    ['a name that is no text', { task: 'x', name: 7 }],
    ['capabilities that are no list', { task: 'x', capabilities: 'fs.read' }],
    ['a budget that is no object', { task: 'x', budget: 7 }],
    ['a budget of nothing', { task: 'x', budget: { iterations: 0 } }],
    ['a budget beyond all measure', { task: 'x', budget: { seconds: 100_000 } }],
  ])('refuses %s', async (_what, input) => {
    // Wrong on purpose.
    expect(await codeOfRejection(delegate(input as never))).toBe('tool.bad_input');
  });

  it('shows the whole task to whoever is asked', () => {
    const input = { task: 'first line\nsecond line', name: 'scout' };
    expect(delegateTool.presentCall?.(input)).toEqual({
      card: 'generic',
      kind: 'think',
      title: 'scout: first line',
      rawInput: input,
    });
  });
});
