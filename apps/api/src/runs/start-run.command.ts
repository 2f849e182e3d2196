import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow, newId, type RunId } from '@wrongstack/contracts';
import type { ServerRun, ServerRunState } from '@wrongstack/contracts/control';
import type { RunLimits, StartRun as StartBody } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { asJson, NEW_BOOK, type RunSpec } from './run-record.js';
import { RunTender } from './run-tender.js';
import { allowedWorkspace } from './workspaces.js';

/** Starts a governed agent on the server, as whoever asks. */
export class StartRun extends Command<ServerRun> {
  constructor(
    readonly by: Principal,
    readonly body: StartBody,
  ) {
    super();
  }
}

/** Of one person, that have not ended: more would only wait. */
const MOST_UNFINISHED = 50;
const UNFINISHED: readonly ServerRunState[] = ['queued', 'running', 'parked'];

@CommandHandler(StartRun)
export class StartRunHandler implements ICommandHandler<StartRun> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
    @Inject(RunTender) private readonly tender: RunTender,
  ) {}

  async execute({ by, body }: StartRun): Promise<ServerRun> {
    const spec = await this.#specOf(by, body);
    await this.#refuseTooMany(by.user);
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const [team = null] = by.teams;
    const run: ServerRun = {
      id: newId<'RunId'>('RunId'),
      requester: by.user,
      team,
      spec: asJson(spec),
      state: 'queued',
      createdAt: at,
      startedAt: null,
      endedAt: null,
      cancel: null,
      result: asJson(NEW_BOOK),
      etag: 1,
    };
    await store.transaction(async (tx) => {
      await tx.runs.add(run);
      await tx.runs.appendEvents(run.id, [
        { seq: 1, at, type: 'run.queued', data: { attempt: 1, because: 'started' } },
      ]);
      const { workspace, model } = spec;
      await recordAction(tx, by, 'run.started', { run: run.id, workspace, model }, at);
    });
    await this.tender.offer(run);
    return run;
  }

  async #specOf(by: Principal, body: StartBody): Promise<RunSpec> {
    const { workspaces } = this.host.runs;
    const elsewhere = this.host.runQueue.driver === 'redis';
    const workspace = await allowedWorkspace(body.workspace, workspaces, elsewhere);
    if (workspace === null) {
      throw new ApiProblem(
        403,
        'run.workspace_not_allowed',
        workspaces.length === 0
          ? 'this server has no workspaces: its operator sets WRONGSTACK_WORKSPACES'
          : 'runs may not work in this folder, or it is none: ask the operator which workspaces there are',
      );
    }
    const { prompt, model = null, limits = {}, tolerateDenials = false } = body;
    // As in a session's log: a secret that somebody pasted is masked before anything is kept.
    return {
      ...{ workspace, model, tolerateDenials, by },
      prompt: this.host.scrubber.scrub(prompt),
      limits: { ...NO_LIMITS, ...limits },
    };
  }

  async #refuseTooMany(requester: string): Promise<void> {
    const { runs } = this.control.store;
    let unfinished = 0;
    for (const state of UNFINISHED) {
      unfinished += (await runs.list({ requester, state }, { limit: MOST_UNFINISHED })).items.length;
    }
    if (unfinished >= MOST_UNFINISHED) {
      throw new ApiProblem(
        429,
        'run.too_many',
        `${MOST_UNFINISHED} of your runs have not ended: wait for one or cancel one`,
        [],
        { 'retry-after': '30' },
      );
    }
  }
}

const NO_LIMITS: RunLimits = {
  iterations: null,
  toolCalls: null,
  tokens: null,
  costUsd: null,
  seconds: null,
};

/** Ids are ours; what is none names nothing. */
export function runIdOf(text: string): RunId | null {
  return /^r-[0-9a-z]{15}$/.test(text) ? (text as RunId) : null;
}
