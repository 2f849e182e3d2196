// Signed bundles: made and signed where policies are published, judged and enforced where they bind.
export { compileForClient } from './compile-for-client.js';
export { POLICY_V1, VOCABULARIES, vocabularyFor, type PolicyVocabulary } from './policy-vocabulary.js';
export { createBundle, openBundle, readBundleDocuments, signBundle } from './bundle-text.js';
export { openKeyDocument, publishedKey, signKeyDocument } from './key-document.js';
export { openTimestamp, timestampHeader } from './signed-time.js';
export {
  generateSigningKey,
  privateKeyText,
  publicKeyText,
  readPublicKey,
  readSigningKey,
  type SigningKey,
} from './signing-key.js';
export { bundleState, FRESH_FOR_MS, laterOf, type StateFacts, type StateReport } from './bundle-state.js';
export { judgeAnswer, type Judgement, type Refusal, type ServerAnswer } from './accept-answer.js';
export { openTexts, type OpenedTexts } from './opened-texts.js';
export { CentralPolicy, EnrolledState, type CentralPolicyOptions } from './central-policy.js';
export { isInRollout, type Rollout } from './rollout-pick.js';
