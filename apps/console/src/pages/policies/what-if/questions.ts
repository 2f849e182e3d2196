import { api, body } from '../../../client/api.js';
import type { operations } from '../../../client/schema.js';

export type Explanation = operations['whatIfAsk']['responses'][200]['content']['application/json'];
export type Question = operations['whatIfAsk']['requestBody']['content']['application/json'];

export async function ask(question: Question): Promise<Explanation> {
  return body(api.POST('/v1/what-if', { body: question }));
}
