import { isFinalState, type TaskRecord } from '@wrongstack/contracts';
import { personsTasks } from '../app/own-tasks.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { type TaskRow, taskTable } from '../terminal/list-lines.js';
import { withHost } from './with-host.js';

const DAY_MS = 24 * 3_600_000;

export function taskList(
  _args: readonly string[],
  options: CommonOptions & { readonly all?: boolean },
): Promise<number> {
  return withHost(options, async (host, output) => {
    const now = host.clock.now();
    const tasks = (await personsTasks(host).list()).filter(
      ({ state, endedAt }) =>
        options.all === true || !isFinalState(state) || now - Date.parse(endedAt ?? '') < DAY_MS,
    );
    if (output.json) output.writeJson(tasks);
    else if (tasks.length === 0) output.say('no tasks');
    else
      output.print(
        taskTable(
          tasks.map((task) => rowOf(task, now)),
          output.look,
        ),
      );
    return EXIT.done;
  });
}

export function rowOf(task: TaskRecord, now: number): TaskRow {
  return {
    id: task.id,
    state: task.state,
    exitCode: task.exit?.exitCode ?? null,
    tool: task.tool,
    ageMs: now - Date.parse(task.startedAt ?? task.createdAt),
    outputBytes: task.outputBytes,
    command: task.title,
  };
}
