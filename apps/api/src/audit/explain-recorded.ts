import type { Decision } from '@wrongstack/contracts';
import { explainDecision, type ExplainView } from '@wrongstack/policy';
import { EXPLANATION } from '../decisions/decision-schemas.js';
import { ApiProblem } from '../errors/api-problem.js';
import { bodyCheck } from '../http/schema-check.js';

const isExplanation = bodyCheck(EXPLANATION);

/** A client's decision as a person reads it. A client of another version may have left out what explains it: a 422 problem says so. */
export function explainRecorded(seq: string, decision: Decision): ExplainView {
  try {
    const explained = explainDecision(decision);
    isExplanation(explained);
    return explained;
  } catch {
    throw new ApiProblem(
      422,
      'audit.not_explainable',
      `record ${seq} does not hold all that explains its decision: look at its entry`,
    );
  }
}
