import { api, body } from '../../../client/api.js';
import type { operations } from '../../../client/schema.js';

export type Checked = operations['draftsCheck']['responses'][200]['content']['application/json'];
export type PolicyLanguage =
  operations['policyLanguageShow']['responses'][200]['content']['application/json'];

/** What is wrong with a text, what looks like a mistake, and how its tests go. */
export async function checkText(id: string, text: string, signal: AbortSignal): Promise<Checked> {
  return body(
    api.POST('/v1/policies/{id}/draft/check', { params: { path: { id } }, body: { text }, signal }),
  );
}

export async function policyLanguage(signal: AbortSignal): Promise<PolicyLanguage> {
  return body(api.GET('/v1/policy-language', { signal }));
}
