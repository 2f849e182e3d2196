import type { RegisteredTool } from '@wrongstack/contracts';
import type { PolicyRecord } from '@wrongstack/contracts/control';
import type { DraftTestReport } from '@wrongstack/contracts/wire';
import { parsePolicyDocument, type PolicyDocument, runPolicyTests } from '@wrongstack/policy';
import { ApiProblem } from '../errors/api-problem.js';

const CENTRAL_TIERS = ['org', 'team', 'orgDefault'] as const;

/** A document that this place may publish, and where it belongs. */
export interface CentralDocument {
  readonly document: PolicyDocument;
  readonly place: Pick<PolicyRecord, 'id' | 'tier' | 'ref'>;
}

/** Throws `policy.invalid`, or a 422 problem where the document is of a tier that no centre publishes. */
export async function readCentralDocument(text: string, organisation: string): Promise<CentralDocument> {
  const document = await parsePolicyDocument(text, { file: 'the policy' });
  const { id, scope } = document.metadata;
  const tier = CENTRAL_TIERS.find((one) => one === scope.tier);
  if (tier === undefined)
    throw new ApiProblem(
      422,
      'policy.tier',
      `tier ${scope.tier} is none that is published from here: use ${CENTRAL_TIERS.join(', ')}`,
    );
  if (tier === 'team' && scope.ref === undefined)
    throw new ApiProblem(422, 'policy.team_missing', 'a team policy names its team in metadata.scope.ref');
  return { document, place: { id, tier, ref: scope.ref ?? organisation } };
}

/** Throws a 422 problem where the text says that it is another policy than the one that it is saved under. */
export function requirePlace(policy: PolicyRecord, place: CentralDocument['place']): void {
  const { id, tier, ref } = policy;
  if (place.id === id && place.tier === tier && place.ref === ref) return;
  throw new ApiProblem(
    422,
    'policy.moved',
    `the draft says it is ${place.tier} policy ${place.id} for ${place.ref}, and this is ${tier} policy ${id} for ${ref}: make another policy of it`,
  );
}

/** The tests that the document carries, with those documents beside it that are in force. */
export async function testDocument(
  document: PolicyDocument,
  tools: readonly RegisteredTool[],
  inForce: readonly PolicyDocument[],
): Promise<DraftTestReport> {
  const beside = inForce.filter(({ metadata }) => metadata.id !== document.metadata.id);
  const results = await runPolicyTests(document, tools, { beside });
  return {
    passed: results.every(({ passed }) => passed),
    tests: results.map(({ name, passed, message }) => ({ name, passed, message })),
  };
}

/** Throws a 422 problem that lists the tests that failed. */
export function requirePassed({ tests }: DraftTestReport): void {
  const failed = tests.filter(({ passed }) => !passed);
  const [first] = failed;
  if (first === undefined) return;
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : '';
  throw new ApiProblem(
    422,
    'policy.tests_failed',
    `test "${first.name}" fails: ${first.message ?? 'it does'}${more}; nothing was published`,
    failed.slice(0, 50).map(({ name, message }) => ({ path: `/tests/${name}`, message: message ?? 'fails' })),
  );
}
