import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow, sha256 } from '@wrongstack/contracts';
import type { ControlPorts, PolicyRevision, Rollout } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { readSettings } from '../identity/settings.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { readCentralDocument, requirePassed, testDocument } from './check-policy.js';
import { documentsInForce } from './documents-in-force.js';
import { EVERYBODY, putInForce } from './put-in-force.js';
import { unknownPolicy } from './unknown-policy.js';

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

  async execute(command: PublishPolicy): Promise<PolicyRevision> {
    const { store } = this.control;
    const draft = await store.policies.draft(command.policy);
    if (draft === null)
      throw new ApiProblem(409, 'draft.none', 'there is no draft to publish: save one first');
    await this.#check(command.policy, draft.text);
    const { value } = await readSettings(store);
    const revision = await store.transaction(async (tx) => {
      const published = await this.#publish(tx, command, draft.text, value.fourEyes);
      // The draft that was checked, or none: what was saved meanwhile was not.
      const removed = await tx.policies.deleteDraft(command.policy, draft.etag);
      if (!removed.ok)
        throw new ApiProblem(409, 'draft.changed', 'the draft was saved again meanwhile: publish once more');
      return published;
    });
    this.watch.published();
    return revision;
  }

  async #check(id: string, text: string): Promise<void> {
    const { store, organisation } = this.control;
    const policy = await store.policies.get(id);
    if (policy === null) throw unknownPolicy();
    const { document, place } = await readCentralDocument(text, organisation);
    if (place.id !== id || place.tier !== policy.tier || place.ref !== policy.ref) {
      throw new ApiProblem(
        422,
        'policy.moved',
        `the draft says it is ${place.tier} policy ${place.id} for ${place.ref}, and this is ${policy.tier} policy ${id} for ${policy.ref}: make another policy of it`,
      );
    }
    requirePassed(await testDocument(document, this.host.kernel.tools.list(), await documentsInForce(store)));
  }

  async #publish(
    tx: ControlPorts,
    { by, policy, expectedRevision, note, rollout }: PublishPolicy,
    text: string,
    fourEyes: boolean,
  ): Promise<PolicyRevision> {
    const at = isoNow(this.control.clock);
    const number = expectedRevision + 1;
    const waits: PolicyRevision['state'] = 'awaiting';
    const added = await tx.policies.addRevision({
      policy,
      number,
      kind: 'publish',
      rollbackOf: null,
      text,
      digest: sha256(text),
      author: by.user,
      note,
      createdAt: at,
      approver: null,
      rollout,
      state: waits,
      changedAt: at,
      because: null,
    });
    if (!added.ok) {
      const newest = added.current;
      throw new ApiProblem(
        409,
        'policy.revision_conflict',
        newest === null
          ? `there is no revision ${expectedRevision}`
          : `${newest.author} published revision ${newest.number} at ${newest.createdAt}: read it, merge, and publish on top of it`,
      );
    }
    await recordAction(tx, by, 'policy.published', { policy, revision: number, fourEyes, rollout }, at);
    const revision = await tx.policies.revision(policy, number);
    if (revision === null) throw unknownPolicy();
    if (fourEyes) return revision;
    return putInForce(
      tx,
      revision,
      rollout.percent < EVERYBODY.percent || rollout.teams.length > 0,
      null,
      at,
    );
  }
}
