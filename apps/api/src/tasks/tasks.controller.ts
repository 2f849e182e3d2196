import { Controller, Delete, Get, Headers, Inject, Param, Query, Req, Res, UseGuards } from '@nestjs/common';
import { isFinalState, type TaskReading, type TaskRecord } from '@wrongstack/contracts';
import { OwnedTasks } from '@wrongstack/kernel';
import { AuthenticatedGuard, callerOf } from '../auth/authentication.handler.js';
import type { CallerIdentity } from '../auth/authenticator.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { type EventReply, streamOutput } from './stream-output.js';

const MOST_WAIT_SECONDS = 60;
const MOST_BYTES = 256 * 1024;

interface Request {
  readonly caller?: CallerIdentity;
}

/** The caller's tasks. Those of others, like ids that never were, are not found. */
@Controller('v1/tasks')
@UseGuards(AuthenticatedGuard)
export class TasksController {
  constructor(@Inject(ApiHost) private readonly host: ApiHost) {}

  @Get()
  async list(@Req() request: Request): Promise<{ readonly tasks: readonly TaskRecord[] }> {
    return { tasks: await this.#own(request).list() };
  }

  @Get(':id')
  async show(@Req() request: Request, @Param('id') id: string): Promise<TaskRecord> {
    return (await this.#own(request).get(id)) ?? notFound();
  }

  /** At once, after `wait` seconds at most, or as a stream of events until the task has ended. */
  @Get(':id/output')
  async output(
    @Req() request: Request,
    @Param('id') id: string,
    @Query('cursor') cursorText: string | undefined,
    @Query('wait') waitText: string | undefined,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEvent: string | undefined,
    @Res() reply: EventReply,
  ): Promise<void> {
    const own = this.#own(request);
    const cursor = numberOf('cursor', lastEvent ?? cursorText, Number.MAX_SAFE_INTEGER);
    const waitMs = numberOf('wait', waitText, MOST_WAIT_SECONDS) * 1000;
    const closed = new AbortController();
    reply.raw.once('close', () => closed.abort());
    const asked = { cursor, maxBytes: MOST_BYTES, waitMs };
    if (accept?.includes('text/event-stream') === true) {
      if ((await own.output(id, { ...asked, waitMs: 0 }, closed.signal)) === null) notFound();
      return streamOutput(own, id, cursor, reply, closed.signal);
    }
    const reading = (await own.output(id, asked, closed.signal)) ?? notFound();
    reply.send(answerOf(reading));
  }

  /** Asks for its end. A task that has ended is answered as it is. */
  @Delete(':id')
  async kill(
    @Req() request: Request,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: { status(code: number): unknown },
  ): Promise<TaskRecord> {
    const { user } = callerOf(request);
    const task = (await this.#own(request).kill(id, `killed by ${user}`)) ?? notFound();
    reply.status(isFinalState(task.state) ? 200 : 202);
    return task;
  }

  #own(request: Request): OwnedTasks {
    const { tenant, user } = callerOf(request);
    return new OwnedTasks(this.host.tasks, { tenant, user });
  }
}

function answerOf({ task, output }: TaskReading): Record<string, unknown> {
  return { task: task.id, state: task.state, exit: task.exit, ...output };
}

function notFound(): never {
  throw new ApiProblem(404, 'task.unknown', 'there is no such task');
}

function numberOf(name: string, text: string | undefined, most: number): number {
  if (text === undefined) return 0;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (value <= most) return value;
  throw new ApiProblem(400, 'request.invalid', `${name} must be a whole number from 0 to ${most}`);
}
