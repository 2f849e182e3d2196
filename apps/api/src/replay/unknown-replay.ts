import { ApiProblem } from '../errors/api-problem.js';

export function unknownReplay(): ApiProblem {
  return new ApiProblem(404, 'replay.unknown', 'there is no such replay');
}
