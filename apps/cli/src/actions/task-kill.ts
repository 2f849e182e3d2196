import { isFinalState } from '@wrongstack/contracts';
import { localActor } from '../app/actor.js';
import { untilEnded } from '../app/follow-task.js';
import { findTask } from '../app/own-tasks.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { withHost } from './with-host.js';

/** A tool that does not react is given its grace first. */
const PATIENCE_MS = 15_000;

export function taskKill([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const task = await findTask(host, id);
    const ended = isFinalState(task.state);
    if (!ended) await host.tasks.kill(task.id, `killed by ${localActor().user?.name ?? 'the user'}`);
    const after = (await untilEnded(host.tasks, task.id, AbortSignal.timeout(PATIENCE_MS))) ?? task;
    if (output.json) output.writeJson(after);
    else if (ended) output.say(`task ${task.id} had ended already: ${after.state}`);
    else output.say(`task ${task.id} is ${after.state}`);
    return isFinalState(after.state) ? EXIT.done : EXIT.failed;
  });
}
