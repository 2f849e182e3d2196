import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type Edited, type OrganisationSettings } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { preconditionFailed } from '../http/entity-tag.js';

/** Replaces all settings. */
export class ChangeSettings extends Command<Edited<OrganisationSettings>> {
  constructor(
    readonly by: Principal,
    readonly settings: OrganisationSettings,
    readonly ifEtag: number,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  async execute({ by, settings, ifEtag }: ChangeSettings): Promise<Edited<OrganisationSettings>> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    return store.transaction(async (tx) => {
      // Beside what people edit, settings hold what the server keeps there: that stays.
      const { value } = await tx.identities.settings();
      const outcome = await tx.identities.setSettings({ ...value, ...settings }, ifEtag);
      if (!outcome.ok) throw preconditionFailed('the settings', outcome.current?.etag ?? 0);
      await recordAction(tx, by, 'settings.changed', { names: Object.keys(settings) }, at);
      return tx.identities.settings();
    });
  }
}
