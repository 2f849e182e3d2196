import { ApiProblem } from '../errors/api-problem.js';

export function unknownPolicy(): ApiProblem {
  return new ApiProblem(404, 'policy.unknown', 'there is no such policy');
}

export function unknownRevision(): ApiProblem {
  return new ApiProblem(404, 'policy.revision_unknown', 'there is no such revision');
}
