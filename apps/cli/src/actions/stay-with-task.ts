import type { TaskRecord } from '@wrongstack/contracts';
import { followTask, untilEnded } from '../app/follow-task.js';
import type { Host } from '../app/host.js';
import { EXIT } from '../exit-codes.js';
import type { Output } from '../output.js';
import { escapeForPipe } from '../terminal/escape-text.js';
import { jsonLine } from '../terminal/headless/json-line.js';
import { writeWhole } from '../terminal/write-whole.js';

/**
 * A call in the background from a shell: the id is the first line, the output follows, and the process stays until the task
 * has ended, since the task lives in it. With `--json`, one line when it was queued and one when it has ended.
 */
export async function stayWithTask(
  host: Host,
  { id }: TaskRecord,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const { stdout } = process;
  stdout.write(output.json ? jsonLine({ task: id }) : `${id}\n`);
  signal.addEventListener('abort', () => void host.tasks.kill(id, 'interrupted'), { once: true });
  await followTask(host.tasks, id, {
    cursor: 0,
    toTheEnd: true,
    write: async (text) => {
      if (!output.json) await writeWhole(stdout, escapeForPipe(text));
    },
    lost: (bytes) => output.note(`${bytes} bytes before this are no longer kept`),
    signal,
  });
  // An interruption ends the task, and its end is waited for.
  const task = await untilEnded(host.tasks, id, new AbortController().signal);
  if (output.json) stdout.write(jsonLine({ task: id, record: task }));
  else if (task !== null && task.outputBytes === 0 && task.exit !== null && task.exit.result !== '')
    stdout.write(`${escapeForPipe(task.exit.result)}\n`);
  if (!output.json && task?.state !== 'completed')
    output.note(`task ${id} is ${task?.state ?? 'gone'}: ${task?.exit?.reason ?? ''}`);
  if (signal.aborted) return EXIT.interrupted;
  return task?.state === 'completed' ? EXIT.done : EXIT.failed;
}
