import { Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import {
  isFinalState,
  TASK_STATES,
  type TaskReading,
  type TaskRecord,
  type TaskState,
} from '@wrongstack/contracts';
import { CommandBus } from '@nestjs/cqrs';
import { OwnedTasks } from '@wrongstack/kernel';
import { forbidden } from '../auth/caller.js';
import { abilitiesOf } from '../auth/compile-ability.js';
import type { Principal } from '../auth/principal.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { closedSignal, sendEvents } from '../http/event-stream.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { KillTask } from './kill-task.command.js';
import { outputEvents } from './stream-output.js';
import { ownOf, reachOf } from './task-reach.js';
import { OUTPUT, TASK } from './task-schemas.js';

const MOST_WAIT_SECONDS = 60;
const MOST_BYTES = 256 * 1024;
const UNKNOWN = { 404: 'No such task of yours.' };

interface ListQuery {
  readonly of: 'me' | 'everybody';
  readonly state?: TaskState;
}

interface OutputQuery {
  readonly cursor?: number;
  readonly wait?: number;
}

/** The caller's tasks, and for those who may see all, everybody's. Those of others, like ids that never were, are not found. */
@Controller('v1/tasks')
export class TasksController {
  constructor(
    @Inject(ApiHost) private readonly host: ApiHost,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('GET', '', {
    summary: 'Tasks, newest first: yours, or everybody’s',
    ability: ['read', 'Task'],
    query: {
      of: {
        enum: ['me', 'everybody'],
        default: 'me',
        description: '`everybody`: for those who may see all.',
      },
      state: { enum: [...TASK_STATES] },
    },
    answers: {
      200: {
        description: 'As many as the queue lists.',
        schema: {
          type: 'object',
          required: ['tasks'],
          properties: { tasks: { type: 'array', items: TASK } },
        },
      },
    },
  })
  async list(
    @Caller() caller: Principal,
    @Query() { of, state }: ListQuery,
  ): Promise<{ readonly tasks: readonly TaskRecord[] }> {
    const everybody = of === 'everybody';
    if (everybody && !abilitiesOf(caller).may('read', 'Task', { owner: null }))
      throw forbidden('read', 'Task');
    const tasks = await this.host.tasks.list(everybody ? {} : ownOf(caller));
    return { tasks: state === undefined ? tasks : tasks.filter((task) => task.state === state) };
  }

  @Route('GET', ':id', {
    summary: 'One task',
    ability: ['read', 'Task'],
    answers: { 200: { description: 'The task.', schema: TASK } },
    problems: UNKNOWN,
  })
  async show(@Caller() caller: Principal, @Param('id') id: string): Promise<TaskRecord> {
    return (await this.#tasks(caller).get(id)) ?? notFound();
  }

  /** At once, after `wait` seconds at most, or as a stream of events until the task has ended. */
  @Route('GET', ':id/output', {
    summary: 'What a task printed, from a cursor on; with `Accept: text/event-stream` as it prints',
    ability: ['read', 'Task'],
    query: {
      cursor: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      wait: {
        type: 'integer',
        minimum: 0,
        maximum: MOST_WAIT_SECONDS,
        description: 'Seconds to wait for more.',
      },
    },
    answers: { 200: { description: 'The part from the cursor on.', schema: OUTPUT } },
    problems: { ...UNKNOWN, 416: 'The cursor lies beyond the end.' },
  })
  async output(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: OutputQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEvent: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    const own = this.#tasks(caller);
    const cursor = lastEvent === undefined ? (query.cursor ?? 0) : cursorOf(lastEvent);
    const asked = { cursor, maxBytes: MOST_BYTES, waitMs: (query.wait ?? 0) * 1000 };
    const closed = closedSignal(reply);
    if (accept?.includes('text/event-stream') === true) {
      if ((await own.output(id, { ...asked, waitMs: 0 }, closed)) === null) notFound();
      return sendEvents(reply, outputEvents(own, id, cursor, closed), closed);
    }
    const reading = (await own.output(id, asked, closed)) ?? notFound();
    reply.send(answerOf(reading));
  }

  /** Asks for its end. A task that has ended is answered as it is. */
  @Route('DELETE', ':id', {
    summary: 'End a task',
    ability: ['delete', 'Task'],
    answers: {
      200: { description: 'It has ended.', schema: TASK },
      202: { description: 'It was told to end.', schema: TASK },
    },
    problems: UNKNOWN,
  })
  async kill(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<TaskRecord> {
    const task = (await this.commands.execute(new KillTask(caller, id))) ?? notFound();
    reply.status(isFinalState(task.state) ? 200 : 202);
    return task;
  }

  #tasks(caller: Principal): OwnedTasks {
    return new OwnedTasks(this.host.tasks, reachOf(caller, 'read'));
  }
}

function answerOf({ task, output }: TaskReading): Record<string, unknown> {
  return { task: task.id, state: task.state, exit: task.exit, ...output };
}

function notFound(): never {
  throw new ApiProblem(404, 'task.unknown', 'there is no such task');
}

function cursorOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ApiProblem(400, 'request.invalid', 'Last-Event-ID must be a cursor that was sent as an id');
}
