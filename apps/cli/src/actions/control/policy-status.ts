import { JoinedPolicies, LocalPolicies, mergeLocks } from '@wrongstack/policy';
import type { Centre } from '../../app/centre.js';
import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT } from '../../exit-codes.js';
import { messages } from '../../terminal/messages.js';
import { policyChangeLines, type PolicyStatus, NO_POLICY } from '../../terminal/status-lines.js';
import { centreOf, type ControlScene, inScene, withCentre } from './open.js';

/** Which policies are in force and how current the central one is. Exit 3 while it is expired or was never received. */
export function policyStatus(_args: readonly string[], options: CommonOptions): Promise<number> {
  return inScene(options, async (scene) => report(scene, await centreOf(scene), null));
}

/** Fetch the policy now. Exit 1 where it was refused: what was held stays in force. */
export function policyPull(_args: readonly string[], options: CommonOptions): Promise<number> {
  return withCentre(options, async (scene) => {
    const { refused } = await scene.centre.refresher.refresh(scene.signal);
    const code = await report(scene, scene.centre, refused);
    return refused === null ? code : EXIT.failed;
  });
}

async function report(
  scene: ControlScene,
  centre: Centre | null,
  refused: { readonly code: string; readonly reason: string } | null,
): Promise<number> {
  const { request, output } = scene;
  const local = new LocalPolicies({
    agentHome: request.paths.agentHome,
    managedFolder: request.paths.managedDir,
  });
  const loaded = await new JoinedPolicies(centre === null ? [local] : [centre.policy, local]).load(
    request.projectRoot,
  );
  const { staleGraceHours } = mergeLocks(loaded.documents);
  const state = (await centre?.report(staleGraceHours)) ?? null;
  const bundle = centre?.policy.bundle ?? null;
  const documents = loaded.documents.map(({ metadata }) => ({
    id: metadata.id,
    revision: metadata.revision,
    tier: metadata.scope.tier,
  }));
  const governing = documents.find(({ tier }) => tier === 'org' || tier === 'team') ?? null;
  const status: PolicyStatus = {
    ...NO_POLICY,
    ...(state !== null && { id: governing?.id ?? null, revision: governing?.revision ?? null, ...state }),
  };
  const unread = await local.unread(request.projectRoot);
  if (output.json) {
    output.writeJson({
      state: status.state,
      server: centre?.enrolment.server ?? null,
      managed: centre?.enrolment.managed ?? false,
      scope: bundle?.scope ?? centre?.identity?.scope ?? null,
      bundle:
        bundle === null
          ? null
          : {
              epoch: bundle.epoch,
              revision: bundle.revision,
              issuedAt: bundle.issuedAt,
              expiresAt: bundle.expiresAt,
            },
      ageSeconds: status.ageSeconds,
      expiresInSeconds: status.expiresInSeconds,
      documents,
      failure: loaded.failure,
      unread,
      refused,
    });
  } else {
    output.print(policyChangeLines(status, output.look));
    if (centre !== null)
      output.say(
        `server ${centre.enrolment.server}${bundle === null ? '' : ` · ${bundle.scope} · bundle ${bundle.epoch}.${bundle.revision}`}`,
      );
    for (const { id, revision, tier } of documents) output.say(`${tier} ${id} r${revision}`);
    if (loaded.failure !== null)
      output.say(`every call is denied: ${loaded.failure.file} ${loaded.failure.reason}`);
    for (const file of unread) output.say(`${messages.banner.notRead}: ${file}`);
    if (refused !== null) output.note(`refused: ${refused.reason}`);
  }
  const stopped = status.state === 'expired' || status.state === 'undetermined' || loaded.failure !== null;
  return stopped ? EXIT.stoppedByPolicy : EXIT.done;
}
