import { isFinalState, type CallId, type TaskId, type TaskRecord } from '@wrongstack/contracts';
import { mayDetach } from '@wrongstack/kernel';
import type { Host } from '../app/host.js';
import { formatBytes, formatDuration, plural } from '../terminal/format.js';
import type { Line } from '../terminal/lines.js';
import { taskDoneLine } from '../terminal/list-lines.js';
import type { Look } from '../terminal/theme.js';

/** The tasks that live in this process, and the running calls that could become some. */
export class LiveTasks {
  readonly #running = new Set<TaskId>();
  readonly #calls = new Map<CallId, string>();
  readonly #stops: readonly (() => void)[];
  #ended: (task: TaskRecord) => void = () => undefined;

  constructor(private readonly host: Host) {
    const { events } = host.kernel;
    this.#stops = [
      host.tasks.onChange((task) => this.#changed(task)),
      events.on('tool.started', ({ call, name }) => void this.#calls.set(call, name)),
      events.on('tool.executed', ({ call }) => void this.#calls.delete(call)),
    ];
  }

  get running(): number {
    return this.#running.size;
  }

  onEnd(listener: (task: TaskRecord) => void): void {
    this.#ended = listener;
  }

  canBackground(name: string): boolean {
    const tool = this.host.kernel.tools.get(name);
    return tool !== undefined && mayDetach(tool, this.host.kernel);
  }

  /** The calls that run now and can: the latest first, and one at a time, as a person sees one card move. */
  sendToBackground(): void {
    for (const call of [...this.#calls.keys()].reverse()) {
      if (this.host.kernel.executor.sendToBackground(call)) return;
    }
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #changed(task: TaskRecord): void {
    if (!isFinalState(task.state)) this.#running.add(task.id);
    else if (this.#running.delete(task.id)) this.#ended(task);
  }
}

/** More than this is told in bytes: counting would read it all. */
const MOST_COUNTED = 4 * 1024 * 1024;

/** `4,812 lines`, or how much it is where that is too much to count. */
async function outputText(tasks: Host['tasks'], { id, outputBytes }: TaskRecord): Promise<string> {
  if (outputBytes > MOST_COUNTED) return formatBytes(outputBytes);
  const output = await tasks.read(id, 0, MOST_COUNTED).catch(() => null);
  if (output === null || output.lost > 0) return formatBytes(outputBytes);
  return plural(
    output.text.split('\n').length - (output.text.endsWith('\n') || output.text === '' ? 1 : 0),
    'line',
  );
}

/** `✓ task t-4k npm run build · exit 0 · 2m03s · 4,812 lines`. */
export async function taskEndLine(tasks: Host['tasks'], task: TaskRecord, look: Look): Promise<Line> {
  const { id, title, state, exit, startedAt, endedAt } = task;
  const took =
    startedAt === null || endedAt === null
      ? []
      : [formatDuration(Date.parse(endedAt) - Date.parse(startedAt))];
  return taskDoneLine(
    { id, command: title, exitCode: exit?.exitCode ?? null, state },
    [...took, await outputText(tasks, task)],
    look,
  );
}
