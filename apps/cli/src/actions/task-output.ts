import { followTask } from '../app/follow-task.js';
import { onInterrupt } from '../app/on-interrupt.js';
import { findTask } from '../app/own-tasks.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { usageError } from '../report-error.js';
import { escapeForPipe } from '../terminal/escape-text.js';
import { writeWhole } from '../terminal/write-whole.js';
import { withHost } from './with-host.js';

/** Following watches and no more: interrupting it leaves the task alone. */
export function taskOutput(
  [id = '']: readonly string[],
  options: CommonOptions & { readonly cursor?: string; readonly follow?: boolean },
): Promise<number> {
  const cursor = Number(options.cursor ?? '0');
  if (!Number.isSafeInteger(cursor) || cursor < 0) {
    throw usageError(`--cursor ${options.cursor ?? ''} is no byte`, 'give a whole number from 0 on');
  }
  return withHost(options, async (host, output) => {
    const task = await findTask(host, id);
    const controller = new AbortController();
    const stop = onInterrupt(() => controller.abort());
    try {
      await followTask(host.tasks, task.id, {
        cursor,
        toTheEnd: options.follow === true,
        write: (text) => writeWhole(process.stdout, escapeForPipe(text)),
        lost: (bytes) => output.note(`${bytes} bytes before this are no longer kept`),
        signal: controller.signal,
      });
      return controller.signal.aborted ? EXIT.interrupted : EXIT.done;
    } finally {
      stop();
    }
  });
}
