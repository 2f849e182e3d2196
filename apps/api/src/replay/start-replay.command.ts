import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { ReplayJob } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { readCentralDocument } from '../policies/check-policy.js';
import { unknownPolicy } from '../policies/unknown-policy.js';
import { ReplayRunner } from './replay-runner.js';

/** They run one after another: who waits behind so many waits for nothing. */
const MOST_UNFINISHED = 20;

/** Tries a draft on what was recorded until now. The text is copied: editing goes on meanwhile. */
export class StartReplay extends Command<ReplayJob> {
  constructor(
    readonly by: Principal,
    readonly policy: string,
    /** As it is typed; null = as it was saved. */
    readonly text: string | null,
    readonly from: string | null,
    readonly to: string | null,
  ) {
    super();
  }
}

@CommandHandler(StartReplay)
export class StartReplayHandler implements ICommandHandler<StartReplay> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ReplayRunner) private readonly runner: ReplayRunner,
  ) {}

  async execute({ by, policy, text: typed, from, to }: StartReplay): Promise<ReplayJob> {
    const { store, clock, organisation } = this.control;
    const record = await store.policies.get(policy);
    if (record === null) throw unknownPolicy();
    const draft = await store.policies.draft(policy);
    const text = typed ?? draft?.text;
    if (text === undefined)
      throw new ApiProblem(409, 'draft.none', 'there is no draft to try: send text, or save one');
    const { place } = await readCentralDocument(text, organisation);
    if (place.id !== policy)
      throw new ApiProblem(422, 'policy.moved', `the draft says it is ${place.id}, and this is ${policy}`);
    if ((await store.replays.unfinished(MOST_UNFINISHED)).length >= MOST_UNFINISHED)
      throw new ApiProblem(429, 'replay.too_many', `${MOST_UNFINISHED} replays wait already: cancel one`);
    const at = isoNow(clock);
    const job: Omit<ReplayJob, 'etag'> = {
      id: `rp_${randomUUID()}`,
      policy,
      text,
      draftEtag: typed === null ? (draft?.etag ?? null) : null,
      requester: by.user,
      createdAt: at,
      from,
      to,
      throughSeq: (await store.audit.head()).seq,
      state: 'queued',
      because: null,
      progress: { seq: 0, looked: 0, skipped: 0, flips: 0, teams: 0 },
      endedAt: null,
    };
    await store.transaction(async (tx) => {
      await tx.replays.add(job);
      await recordAction(tx, by, 'replay.started', { replay: job.id, policy, through: job.throughSeq }, at);
    });
    this.runner.look();
    return { ...job, etag: 1 };
  }
}
