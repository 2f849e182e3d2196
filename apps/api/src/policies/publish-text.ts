import { sha256 } from '@wrongstack/contracts';
import type { ControlPorts, PolicyRevision, Rollout } from '@wrongstack/contracts/control';
import type { RegisteredTool } from '@wrongstack/contracts';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import type { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { readCentralDocument, requirePassed, requirePlace, testDocument } from './check-policy.js';
import { documentsInForce } from './documents-in-force.js';
import { EVERYBODY, putInForce } from './put-in-force.js';
import { unknownPolicy } from './unknown-policy.js';

/** A text that is to be the next revision of a policy. */
export interface NewRevision {
  readonly policy: string;
  readonly text: string;
  /** The newest revision as the publisher saw it. */
  readonly expectedRevision: number;
  readonly note: string;
  readonly rollout: Rollout;
}

/** Whether it may be published as this policy: it is valid, says what it is, and its own tests pass. Throws a problem. */
export async function checkText(
  { store, organisation }: Pick<ControlPlane, 'store' | 'organisation'>,
  tools: readonly RegisteredTool[],
  id: string,
  text: string,
): Promise<void> {
  const policy = await store.policies.get(id);
  if (policy === null) throw unknownPolicy();
  const { document, place } = await readCentralDocument(text, organisation);
  requirePlace(policy, place);
  requirePassed(await testDocument(document, tools, await documentsInForce(store)));
}

/**
 * Makes a checked text the next revision: in force, staged, or waiting for somebody else's yes. The only way in which a text comes into
 * force, whoever wrote it.
 */
export async function publishText(
  tx: ControlPorts,
  by: Principal,
  { policy, text, expectedRevision, note, rollout }: NewRevision,
  fourEyes: boolean,
  at: string,
): Promise<PolicyRevision> {
  const number = expectedRevision + 1;
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
    state: 'awaiting',
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
  const staged = rollout.percent < EVERYBODY.percent || rollout.teams.length > 0;
  return putInForce(tx, revision, staged, null, at);
}
