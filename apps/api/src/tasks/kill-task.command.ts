import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isFinalState, isoNow, type TaskRecord } from '@wrongstack/contracts';
import { OwnedTasks } from '@wrongstack/kernel';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiHost } from '../host/api-host.js';
import { reachOf } from './task-reach.js';

/** Asks for the end of a task. Null = there is none that they may see. What somebody does to another person's is on record before it happens. */
export class KillTask extends Command<TaskRecord | null> {
  constructor(
    readonly by: Principal,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(KillTask)
export class KillTaskHandler implements ICommandHandler<KillTask> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
  ) {}

  async execute({ by, id }: KillTask): Promise<TaskRecord | null> {
    const tasks = new OwnedTasks(this.host.tasks, reachOf(by, 'delete'));
    const task = await tasks.get(id);
    if (task === null) return null;
    if (task.owner.user !== by.user && !isFinalState(task.state)) {
      const { store, clock } = this.control;
      const data = { task: id, tool: task.tool, owner: task.owner.user };
      await store.transaction((tx) => recordAction(tx, by, 'task.killed', data, isoNow(clock)));
    }
    return tasks.kill(id, `killed by ${by.user}`);
  }
}
