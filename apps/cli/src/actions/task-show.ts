import type { TaskRecord } from '@wrongstack/contracts';
import { findTask } from '../app/own-tasks.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { formatBytes } from '../terminal/format.js';
import { withHost } from './with-host.js';

export function taskShow([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const task = await findTask(host, id);
    if (output.json) output.writeJson(task);
    else output.say(textOf(task));
    return EXIT.done;
  });
}

function textOf(task: TaskRecord): string {
  const { exit } = task;
  const rows: readonly (readonly [string, string])[] = [
    ['task', task.id],
    ['state', task.state],
    ['tool', `${task.tool}: ${task.title}`],
    ['session', task.owner.session],
    ['decision', task.decision],
    ['output', formatBytes(task.outputBytes)],
    ...(exit?.exitCode == null ? [] : [['exit', String(exit.exitCode)] as const]),
    ...(exit?.reason == null ? [] : [['why', exit.reason] as const]),
    ...task.transitions.map(
      ({ state, at, reason }) => [at, reason === null ? state : `${state} (${reason})`] as const,
    ),
  ];
  return rows.map(([name, value]) => `${name.padEnd(26)}${value}`).join('\n');
}
