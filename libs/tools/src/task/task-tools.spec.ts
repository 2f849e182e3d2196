import type { Context, OutputRequest, OwnTasks, TaskRecord, ToolOptions } from '@wrongstack/contracts';
import { sampleTask } from './sample-task.spec-support.js';
import { taskTools } from './task-tools.js';

const running = sampleTask();
const failed = sampleTask({
  state: 'failed',
  outputBytes: 0,
  exit: { state: 'failed', exitCode: 1, reason: 'exit 1', result: 'no tests found', truncated: false },
});

/** The tasks of one session; everything else is unknown. */
class SessionTasks implements OwnTasks {
  readonly asked: OutputRequest[] = [];
  readonly killed: string[] = [];
  lost = 0;
  readonly tasks: readonly TaskRecord[] = [running, failed];

  list = async () => this.tasks;
  get = async (id: string) => this.tasks.find((task) => task.id === id) ?? null;

  async output(id: string, request: OutputRequest) {
    const task = await this.get(id);
    if (task === null) return null;
    this.asked.push(request);
    const end = task.outputBytes;
    const text = 'line 1\nend'.slice(request.cursor + this.lost, end);
    const from = Math.min(end, request.cursor + this.lost);
    return { task, output: { text, from, next: end, lost: this.lost, end, done: task === failed } };
  }

  async kill(id: string) {
    this.killed.push(id);
    const task = await this.get(id);
    return task === running ? { ...running, state: 'stopping' as const } : task;
  }
}

describe('the task tools', () => {
  let tasks: SessionTasks;
  beforeEach(() => {
    tasks = new SessionTasks();
  });

  async function run(name: string, input: unknown, options: Partial<ToolOptions> = { tasks }) {
    const tool = taskTools.find((one) => one.name === name);
    const signal = new AbortController().signal;
    // The tools need nothing of a context.
    const output = (await tool?.execute(input, {} as Context, { signal, ...options })) as {
      content: readonly { text: string }[];
      meta?: unknown;
    };
    return { text: output.content.map(({ text }) => text).join('\n'), meta: output.meta };
  }

  it('list what there is, one a line', async () => {
    expect((await run('task_list', {})).text.split('\n')).toEqual([
      `${running.id} running bash: npm run build · 10 bytes`,
      `${failed.id} failed (exit 1) bash: npm run build · 0 bytes`,
    ]);
  });

  it('read on from a cursor and give the next one', async () => {
    const { text, meta } = await run('task_output', { task: running.id, cursor: 7, wait_seconds: 3 });
    expect(text).toBe('[running, next cursor 10]\nend');
    expect(meta).toEqual({ task: running.id, state: 'running', cursor: 10, lost: 0 });
    expect(tasks.asked).toEqual([{ cursor: 7, maxBytes: 24_000, waitMs: 3_000 }]);
  });

  it('say what was lost', async () => {
    tasks.lost = 4;
    expect((await run('task_output', { task: running.id })).text).toContain(
      '4 bytes before this are no longer kept',
    );
  });

  it('show the result of a task that wrote nothing', async () => {
    expect((await run('task_output', { task: failed.id })).text).toBe(
      '[failed (exit 1), next cursor 0]\nresult: no tests found',
    );
  });

  it('stop what runs, and say of what has ended that it had', async () => {
    expect((await run('task_kill', { task: running.id })).text).toMatch(/^Stopping: .* stopping bash/);
    expect((await run('task_kill', { task: failed.id })).text).toMatch(/^It had ended already: /);
  });

  it.each(['task_output', 'task_kill'])('%s: knows no others', async (name) => {
    for (const task of [sampleTask().id, 't-1', '../../etc/passwd']) {
      await expect(run(name, { task })).rejects.toMatchObject({ code: 'task.unknown' });
    }
    expect(tasks.killed).toEqual([]);
  });

  it('say so where nothing runs in the background', async () => {
    await expect(run('task_list', {}, {})).rejects.toMatchObject({ code: 'task.unavailable' });
  });

  it.each([
    { task: 7 },
    { task: running.id, cursor: -1 },
    { task: running.id, cursor: 1.5 },
    { task: running.id, wait_seconds: 61 },
  ])('refuse %j', async (input) => {
    await expect(run('task_output', input)).rejects.toMatchObject({ code: 'tool.bad_input' });
  });
});
