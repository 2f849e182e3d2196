import type { ControlPorts } from '@wrongstack/contracts/control';
import { parsePolicyDocument, type PolicyDocument } from '@wrongstack/policy';

/** The active documents, as they would stand beside a new one. */
export async function documentsInForce(
  store: Pick<ControlPorts, 'policies'>,
): Promise<readonly PolicyDocument[]> {
  const live = await store.policies.liveRevisions();
  const active = live.filter(({ state }) => state === 'active');
  return Promise.all(
    active.map(({ policy, number, text }) => parsePolicyDocument(text, { file: `${policy} r${number}` })),
  );
}
