import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT } from '../../exit-codes.js';
import { centreOf, inScene } from './open.js';

/** Drops the identity. The enrolment stays: the policy that is held goes on binding, until it has expired. */
export function logout(_args: readonly string[], options: CommonOptions): Promise<number> {
  return inScene(options, async (scene) => {
    const centre = await centreOf(scene);
    const removed = (await centre?.identityFile.remove()) ?? false;
    if (scene.output.json) scene.output.writeJson({ removed, enrolled: centre !== null });
    else if (!removed) scene.output.say('nobody was signed in');
    else
      scene.output.say(
        `signed out · still enrolled with ${centre?.enrolment.server ?? ''}, its policy stays in force`,
      );
    return EXIT.done;
  });
}
