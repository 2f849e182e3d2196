import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type Edited, type GroupMapping } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { preconditionFailed } from '../http/entity-tag.js';

/** Replaces the whole table. */
export class ChangeGroupMappings extends Command<Edited<readonly GroupMapping[]>> {
  constructor(
    readonly by: Principal,
    readonly mappings: readonly GroupMapping[],
    readonly ifEtag: number,
  ) {
    super();
  }
}

@CommandHandler(ChangeGroupMappings)
export class ChangeGroupMappingsHandler implements ICommandHandler<ChangeGroupMappings> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, mappings, ifEtag }: ChangeGroupMappings): Promise<Edited<readonly GroupMapping[]>> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    return store.transaction(async (tx) => {
      const outcome = await tx.identities.setGroupMappings(mappings, ifEtag);
      if (!outcome.ok) throw preconditionFailed('the table of groups', outcome.current?.etag ?? 0);
      await recordAction(tx, by, 'groups.changed', { groups: mappings.map(({ group }) => group) }, at);
      return tx.identities.groupMappings();
    });
  }
}
