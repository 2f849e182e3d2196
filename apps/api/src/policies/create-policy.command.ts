import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { PolicyDraft, PolicyRecord } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { readCentralDocument } from './check-policy.js';

/** A policy begins as a draft; its place is what its metadata say. */
export class CreatePolicy extends Command<{ readonly policy: PolicyRecord; readonly draft: PolicyDraft }> {
  constructor(
    readonly by: Principal,
    readonly text: string,
  ) {
    super();
  }
}

@CommandHandler(CreatePolicy)
export class CreatePolicyHandler implements ICommandHandler<CreatePolicy> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({
    by,
    text,
  }: CreatePolicy): Promise<{ readonly policy: PolicyRecord; readonly draft: PolicyDraft }> {
    const { store, clock, organisation } = this.control;
    const { place } = await readCentralDocument(text, organisation);
    const at = isoNow(clock);
    return store.transaction(async (tx) => {
      if (!(await tx.policies.create({ ...place, createdBy: by.user, createdAt: at })))
        throw new ApiProblem(409, 'policy.exists', `policy ${place.id} exists: save a draft of it instead`);
      const draft = { policy: place.id, text, author: by.user, savedAt: at, basedOn: 0 };
      const saved = await tx.policies.saveDraft(draft, null);
      const policy = await tx.policies.get(place.id);
      if (!saved.ok || policy === null)
        throw new ApiProblem(409, 'policy.exists', `policy ${place.id} exists`);
      await recordAction(tx, by, 'policy.created', { policy: place.id }, at);
      return { policy, draft: saved.draft };
    });
  }
}
