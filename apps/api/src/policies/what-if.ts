import type { RegisteredTool } from '@wrongstack/contracts';
import {
  compilePolicies,
  explainDecision,
  type ExplainView,
  type PolicyDocument,
  type PolicyTest,
  runPolicyTests,
} from '@wrongstack/policy';
import { ApiProblem } from '../errors/api-problem.js';

/** A call that somebody thinks of. */
export type ImaginedCall = Pick<PolicyTest, 'call' | 'principal' | 'session'>;

/**
 * How it would be decided under these documents, by the engine that decides real ones, on a disk that holds nothing but a project and a home. A team's
 * documents count for who is of that team.
 */
export async function whatIf(
  asked: ImaginedCall,
  documents: readonly PolicyDocument[],
  tools: readonly RegisteredTool[],
): Promise<ExplainView> {
  const team = asked.principal?.team;
  const concerned = documents.filter(
    ({ metadata: { scope } }) => scope.tier !== 'team' || (team !== undefined && scope.ref === team),
  );
  // Only the decision is looked at.
  const question: PolicyTest = { name: 'what if', ...asked, expect: { verdict: 'allow' } };
  const [result] = await runPolicyTests({ ...NOTHING, tests: [question] }, tools, { beside: concerned });
  if (result?.decision != null) return explainDecision(result.decision, compilePolicies(concerned));
  throw new ApiProblem(422, 'request.invalid', `body /call ${result?.message ?? 'cannot be made'}`, [
    { path: '/call', message: result?.message ?? 'cannot be made' },
  ]);
}

/** Demands nothing and governs nothing: the question itself has to stand somewhere. */
const NOTHING: PolicyDocument = {
  apiVersion: 'policy.wrongstack/v1',
  kind: 'CapabilityPolicy',
  metadata: { id: 'what-if', revision: 1, scope: { tier: 'builtin' } },
  rules: [],
};
