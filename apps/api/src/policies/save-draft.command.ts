import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { PolicyDraft } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { entityTag } from '../http/entity-tag.js';
import { draftView } from './policy-views.js';
import { unknownPolicy } from './unknown-policy.js';

/** Saves what somebody wrote, finished or not: a draft may be wrong. `ifEtag` null = there is none yet. */
export class SaveDraft extends Command<PolicyDraft> {
  constructor(
    readonly by: Principal,
    readonly policy: string,
    readonly text: string,
    readonly ifEtag: number | null,
  ) {
    super();
  }
}

@CommandHandler(SaveDraft)
export class SaveDraftHandler implements ICommandHandler<SaveDraft> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, policy, text, ifEtag }: SaveDraft): Promise<PolicyDraft> {
    const { store, clock } = this.control;
    return store.transaction(async (tx) => {
      const record = await tx.policies.get(policy);
      if (record === null) throw unknownPolicy();
      const before = await tx.policies.draft(policy);
      const basedOn = before?.basedOn ?? record.newestRevision;
      const draft = { policy, text, author: by.user, savedAt: isoNow(clock), basedOn };
      const saved = await tx.policies.saveDraft(draft, ifEtag);
      if (saved.ok) return saved.draft;
      throw draftChanged(saved.current);
    });
  }
}

/** Two people edit at once: the second learns who was first, and loses nothing. */
export function draftChanged(current: PolicyDraft | null): ApiProblem {
  if (current === null)
    return new ApiProblem(
      412,
      'draft.changed',
      'the draft is gone: save it with If-None-Match: *',
      [],
      {},
      {
        current: null,
      },
    );
  return new ApiProblem(
    412,
    'draft.changed',
    `${current.author} saved this draft at ${current.savedAt}: read it, merge, and save with its ETag`,
    [],
    { etag: entityTag(current.etag) },
    { current: draftView(current) },
  );
}
