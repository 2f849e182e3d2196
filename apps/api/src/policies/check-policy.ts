import type { RegisteredTool } from '@wrongstack/contracts';
import type { PolicyRecord } from '@wrongstack/contracts/control';
import {
  parsePolicyDocument,
  type PolicyDocument,
  type PolicyTestResult,
  runPolicyTests,
} from '@wrongstack/policy';
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

/** The tests that the document carries, with those documents beside it that are in force. */
export function testDocument(
  document: PolicyDocument,
  tools: readonly RegisteredTool[],
  beside: readonly PolicyDocument[],
): Promise<readonly PolicyTestResult[]> {
  return runPolicyTests(document, tools, {
    beside: beside.filter(({ metadata }) => metadata.id !== document.metadata.id),
  });
}

/** Throws a 422 problem that lists the tests that failed. */
export function requirePassed(results: readonly PolicyTestResult[]): void {
  const failed = results.filter(({ passed }) => !passed);
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
