import { Body, Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Page, ReplayFlip, ReplayJob } from '@wrongstack/contracts/control';
import { requireAbility } from '../auth/caller.js';
import type { Principal } from '../auth/principal.js';
import type { Action } from '../auth/role-abilities.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { closedSignal, sendEvents } from '../http/event-stream.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Reply } from '../http/reply.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { unknownPolicy } from '../policies/unknown-policy.js';
import { CancelReplay } from './cancel-replay.command.js';
import { replayEvents } from './replay-events.js';
import { FLIP, REPLAY, REPLAY_REPORT, replayView, type ReplayView } from './replay-view.js';
import { StartReplay } from './start-replay.command.js';
import { unknownReplay } from './unknown-replay.js';

const MOST_TEAMS = 200;
const TIME: Schema = { type: ['string', 'null'], format: 'date-time', maxLength: 40 };
const NEW_REPLAY: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    text: {
      type: 'string',
      minLength: 1,
      maxLength: 1024 * 1024,
      description: 'The draft as it is typed; missing = as it was saved.',
    },
    from: { ...TIME, description: 'Decisions from this time on; null = from the first.' },
    to: { ...TIME, description: 'Decisions before this time; null = until now.' },
  },
};
const UNKNOWN = { 404: 'No such replay.' };

interface NewReplay {
  readonly text?: string;
  readonly from?: string | null;
  readonly to?: string | null;
}

type ReplayReport = ReplayView & {
  readonly flipsByTeam: readonly { readonly team: string | null; readonly flips: number }[];
};

/** A draft tried on what was really asked for: who would be told something else than they were. */
@Controller('v1')
export class ReplaysController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('POST', 'policies/:id/replays', {
    summary: 'Decide recorded decisions again under the draft',
    ability: ['create', 'Replay'],
    body: NEW_REPLAY,
    bodyExample: { from: '2026-11-01T00:00:00.000Z' },
    idempotency: 'replay',
    answers: { 201: { description: 'The replay, which waits for its turn.', schema: REPLAY } },
    problems: {
      404: 'No such policy.',
      409: 'draft.none.',
      422: 'The draft is no policy, or another one.',
      429: 'replay.too_many.',
    },
  })
  async start(
    @Caller() caller: Principal,
    @Param('id') policy: string,
    @Body() { text, from = null, to = null }: NewReplay,
  ): Promise<ReplayView> {
    const command = new StartReplay(caller, policy, text ?? null, utc(from), utc(to));
    return replayView(await this.commands.execute(command));
  }

  @Route('GET', 'policies/:id/replays', {
    summary: 'Replays of this policy, newest first',
    ability: ['read', 'Replay'],
    query: PAGE_QUERY,
    answers: { 200: { description: 'Replays.', schema: pageSchema(REPLAY) } },
    problems: { 404: 'No such policy.' },
  })
  async list(@Param('id') policy: string, @Query() query: PageQuery): Promise<Page<ReplayView>> {
    const { store } = this.control;
    if ((await store.policies.get(policy)) === null) throw unknownPolicy();
    const { items, next } = await store.replays.list(policy, query);
    return { items: items.map(replayView), next };
  }

  @Route('GET', 'replays/:id', {
    summary: 'How far it is, and what it has found until now',
    ability: ['read', 'Replay'],
    answers: { 200: { description: 'The replay.', schema: REPLAY_REPORT } },
    problems: UNKNOWN,
  })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<ReplayReport> {
    const job = await this.#load(caller, 'read', id);
    const counts = await this.control.store.replays.flipCounts(id, MOST_TEAMS);
    return { ...replayView(job), flipsByTeam: counts.map(({ team, count }) => ({ team, flips: count })) };
  }

  @Route('GET', 'replays/:id/flips', {
    summary: 'The calls that the draft decides otherwise',
    ability: ['read', 'Replay'],
    query: {
      ...PAGE_QUERY,
      team: { type: 'string', minLength: 1, maxLength: 200 },
      tool: { type: 'string', minLength: 1, maxLength: 200 },
    },
    answers: { 200: { description: 'Flips, in the order of the audit log.', schema: pageSchema(FLIP) } },
    problems: UNKNOWN,
  })
  async flips(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { team, tool, ...page }: PageQuery & { readonly team?: string; readonly tool?: string },
  ): Promise<Page<ReplayFlip>> {
    await this.#load(caller, 'read', id);
    const filter = { ...(team === undefined ? {} : { team }), ...(tool === undefined ? {} : { tool }) };
    return this.control.store.replays.flips(id, filter, page);
  }

  @Route('GET', 'replays/:id/events', {
    summary: 'Its progress as it comes',
    ability: ['read', 'Replay'],
    answers: {
      200: {
        description: 'Events `progress`, then one `end`. Resumes by Last-Event-ID.',
        mediaType: 'text/event-stream',
        schema: { type: 'string' },
      },
    },
    problems: UNKNOWN,
  })
  async events(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Headers('last-event-id') last: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    await this.#load(caller, 'read', id);
    const closed = closedSignal(reply);
    return sendEvents(reply, replayEvents(this.control.store.replays, id, tagIn(last), closed), closed);
  }

  @Route('DELETE', 'replays/:id', {
    summary: 'End a replay; what it has found stays',
    ability: ['delete', 'Replay'],
    answers: { 200: { description: 'The replay as it is now.', schema: REPLAY } },
    problems: UNKNOWN,
  })
  async cancel(@Caller() caller: Principal, @Param('id') id: string): Promise<ReplayView> {
    await this.#load(caller, 'delete', id);
    return replayView(await this.commands.execute(new CancelReplay(caller, id)));
  }

  async #load(caller: Principal, action: Action, id: string): Promise<ReplayJob> {
    const job = await this.control.store.replays.get(id);
    if (job === null) throw unknownReplay();
    requireAbility(caller, action, 'Replay', { owner: job.requester }, unknownReplay());
    return job;
  }
}

/** As records have it: UTC with milliseconds, so that text compares like time. */
function utc(time: string | null): string | null {
  if (time === null) return null;
  const ms = Date.parse(time);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  throw new ApiProblem(422, 'request.invalid', 'body /from and /to must be times as ISO 8601 says');
}

function tagIn(last: string | undefined): number {
  if (last === undefined || last === '') return 0;
  if (/^\d{1,15}$/.test(last)) return Number(last);
  throw new ApiProblem(400, 'request.invalid', 'Last-Event-ID must be an id that was sent');
}
