import { messageOf } from '@wrongstack/contracts';
import { localActor } from '../../app/actor.js';
import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT } from '../../exit-codes.js';
import { centreOf, inScene } from './open.js';

/** Who this client is: by the server where it answers, else as it was told last. */
export function whoami(_args: readonly string[], options: CommonOptions): Promise<number> {
  return inScene(options, async (scene) => {
    const { output, signal } = scene;
    const centre = await centreOf(scene);
    if (centre === null || centre.identity === null) {
      const user = localActor().user?.name ?? null;
      const server = centre?.enrolment.server ?? null;
      if (output.json) output.writeJson({ user, server, signedIn: false });
      else
        output.say(
          `${user ?? 'unknown'} · nobody vouches for it${server === null ? '' : ` · enrolled with ${server}, signed out`}`,
        );
      return EXIT.done;
    }
    const { identity, enrolment } = centre;
    const answer = await centre.client.whoAmI(signal).catch((error: unknown) => messageOf(error));
    const trouble = typeof answer === 'string' ? answer : null;
    const who = typeof answer === 'string' ? identity : answer;
    const { name, teams, roles } = who.principal;
    if (output.json) {
      output.writeJson({
        user: name,
        teams,
        roles,
        organisation: who.organisation,
        agent: identity.agent,
        scope: identity.scope,
        server: enrolment.server,
        managed: enrolment.managed,
        signedIn: true,
        confirmed: trouble === null,
      });
    } else {
      output.say(
        `${name} · ${who.organisation} · teams ${teams.join(', ') || 'none'} · roles ${roles.join(', ') || 'none'}`,
      );
      output.say(
        `agent ${identity.agent.id} · ${identity.scope} · ${enrolment.server}${enrolment.managed ? ' (managed)' : ''}`,
      );
      if (trouble !== null) output.note(`not confirmed now: ${trouble}`);
    }
    return EXIT.done;
  });
}
