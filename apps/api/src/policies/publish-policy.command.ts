import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { PolicyRevision, Rollout } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { readSettings } from '../identity/settings.js';
import { checkText, publishText } from './publish-text.js';

/** Makes the draft a revision: in force, staged, or waiting for somebody else's yes. */
export class PublishPolicy extends Command<PolicyRevision> {
  constructor(
    readonly by: Principal,
    readonly policy: string,
    /** The newest revision as the publisher saw it. */
    readonly expectedRevision: number,
    readonly note: string,
    readonly rollout: Rollout,
  ) {
    super();
  }
}

@CommandHandler(PublishPolicy)
export class PublishPolicyHandler implements ICommandHandler<PublishPolicy> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
    @Inject(PublicationWatch) private readonly watch: PublicationWatch,
  ) {}

  async execute({ by, policy, expectedRevision, note, rollout }: PublishPolicy): Promise<PolicyRevision> {
    const { store, clock } = this.control;
    const draft = await store.policies.draft(policy);
    if (draft === null)
      throw new ApiProblem(409, 'draft.none', 'there is no draft to publish: save one first');
    const { text, etag } = draft;
    await checkText(this.control, this.host.kernel.tools.list(), policy, text);
    const { value } = await readSettings(store);
    const revision = await store.transaction(async (tx) => {
      const wanted = { policy, text, expectedRevision, note, rollout };
      const published = await publishText(tx, by, wanted, value.fourEyes, isoNow(clock));
      // The draft that was checked, or none: what was saved meanwhile was not.
      const removed = await tx.policies.deleteDraft(policy, etag);
      if (!removed.ok)
        throw new ApiProblem(409, 'draft.changed', 'the draft was saved again meanwhile: publish once more');
      return published;
    });
    this.watch.published();
    return revision;
  }
}
