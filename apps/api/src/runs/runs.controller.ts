import { Body, Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Page, ServerRun } from '@wrongstack/contracts/control';
import {
  RUN_STATES,
  runPageSchema,
  type RunState,
  type RunSummary,
  runViewSchema,
  type RunView,
  type StartRun as StartBody,
  startRunSchema,
} from '@wrongstack/contracts/wire';
import { PeoplesNames } from '../approvals/approval-views.js';
import { requireAbility } from '../auth/caller.js';
import { callersOwn } from '../auth/callers-own.js';
import type { Principal } from '../auth/principal.js';
import type { Action } from '../auth/role-abilities.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { closedSignal, sendEvents } from '../http/event-stream.js';
import { PAGE_QUERY, type PageQuery } from '../http/page.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { CancelRun } from './cancel-run.command.js';
import { followRun } from './follow-run.js';
import { hasEnded } from './run-record.js';
import { runSummary, runView, unknownRun } from './run-view.js';
import { RunTender } from './run-tender.js';
import { runIdOf, StartRun } from './start-run.command.js';

const VIEW = { description: 'The run as it is now.', schema: runViewSchema };
const UNKNOWN = { 404: 'No such run that you may see.' };

/** Governed runs of an agent on this server. */
@Controller('v1/runs')
export class RunsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(RunTender) private readonly tender: RunTender,
  ) {}

  @Route('POST', '', {
    summary: 'Start an agent on the server, as yourself and under the policies in force for you',
    ability: ['create', 'Run'],
    body: startRunSchema,
    bodyExample: {
      workspace: '/srv/workspaces/payments',
      prompt: 'Find out why the nightly build fails, and write down what you found in NOTES.md',
      limits: { iterations: 40, costUsd: 2 },
    },
    idempotency: 'replay',
    answers: { 201: { description: 'It waits for its turn.', schema: runViewSchema } },
    problems: { 403: 'run.workspace_not_allowed.', 429: 'run.too_many.' },
  })
  async start(@Caller() caller: Principal, @Body() body: StartBody): Promise<RunView> {
    return this.#view(await this.commands.execute(new StartRun(caller, body)));
  }

  @Route('GET', '', {
    summary: 'Runs: yours, or all for those who look after them',
    ability: ['read', 'Run'],
    query: { ...PAGE_QUERY, state: { enum: RUN_STATES }, mine: { type: 'boolean' } },
    answers: { 200: { description: 'Newest first.', schema: runPageSchema } },
  })
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery & { readonly state?: RunState; readonly mine?: boolean },
  ): Promise<Page<RunSummary>> {
    const { store } = this.control;
    const requester = query.mine === true ? caller.user : callersOwn(caller, 'read', 'Run');
    const filter = {
      ...(query.state === undefined ? {} : { state: query.state }),
      ...(requester === null ? {} : { requester }),
    };
    const { items, next } = await store.runs.list(filter, query);
    const names = new PeoplesNames(store);
    return { items: await Promise.all(items.map((run) => runSummary(run, names))), next };
  }

  @Route('GET', ':id', {
    summary: 'One run, with its result once it has ended',
    ability: ['read', 'Run'],
    answers: { 200: VIEW },
    problems: UNKNOWN,
  })
  async show(@Caller() caller: Principal, @Param('id') id: string): Promise<RunView> {
    return this.#view(await this.#load(caller, 'read', id));
  }

  @Route('GET', ':id/events', {
    summary: 'What happens in it, as it happens',
    ability: ['read', 'Run'],
    answers: {
      200: {
        description:
          'Events as of `wstack run --output stream-json`, and `run.queued`, `run.running`, `run.parked`; then one `end`. Resumes by Last-Event-ID.',
        mediaType: 'text/event-stream',
        schema: { type: 'string' },
        example: 'event: tool.requested\nid: 7\ndata: {"at":"…","call":"c-…","tool":"read","input":{}}\n\n',
      },
    },
    problems: { ...UNKNOWN, 416: 'run.cursor: Last-Event-ID lies beyond the newest event.' },
  })
  async events(
    @Caller() caller: Principal,
    @Param('id') text: string,
    @Headers('last-event-id') last: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    const { id } = await this.#load(caller, 'read', text);
    const { runs } = this.control.store;
    const after = cursorOf(last);
    if (after > ((await runs.lastEvent(id)) ?? 0))
      throw new ApiProblem(416, 'run.cursor', 'Last-Event-ID lies beyond the newest event of this run');
    const closed = AbortSignal.any([closedSignal(reply), this.tender.ending]);
    return sendEvents(reply, followRun(runs, id, after, closed), closed);
  }

  @Route('DELETE', ':id', {
    summary: 'End a run; what it has done stays',
    ability: ['delete', 'Run'],
    answers: {
      200: { description: 'It has ended.', schema: runViewSchema },
      202: { description: 'It was told to end.', schema: runViewSchema },
    },
    problems: UNKNOWN,
  })
  async cancel(
    @Caller() caller: Principal,
    @Param('id') text: string,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<RunView> {
    const { id } = await this.#load(caller, 'delete', text);
    const run = await this.commands.execute(new CancelRun(caller, id));
    reply.status(hasEnded(run) ? 200 : 202);
    return this.#view(run);
  }

  async #load(caller: Principal, action: Action, text: string): Promise<ServerRun> {
    const id = runIdOf(text);
    const run = id === null ? null : await this.control.store.runs.get(id);
    if (run === null) throw unknownRun();
    requireAbility(caller, action, 'Run', { owner: run.requester }, unknownRun());
    return run;
  }

  #view(run: ServerRun): Promise<RunView> {
    return runView(run, new PeoplesNames(this.control.store));
  }
}

function cursorOf(last: string | undefined): number {
  if (last === undefined || last === '') return 0;
  if (/^\d{1,15}$/.test(last)) return Number(last);
  throw new ApiProblem(400, 'request.invalid', 'Last-Event-ID must be an id that was sent');
}
