export {
  analyseCommand,
  type ImpliedHost,
  type ImpliedPath,
  type ShellAnalysis,
  type ShellPlace,
} from './shell/analyse-command.js';
export { computeFacts, type FactOptions } from './facts/compute-facts.js';
export { nodeFactFileSystem, type FactFileSystem, type FileFacts } from './facts/fact-file-system.js';
export { redactFacts, stableFacts, type Scrub } from './facts/redact-facts.js';
export { PROTECTED_PLACES, protectedReason } from './facts/protected-paths.js';
export { CREDENTIAL_PLACES, credentialReason } from './facts/credential-paths.js';
export { isAgentOwn } from './facts/agent-paths.js';
export type * from './documents/policy-document.js';
export type { InvalidDocument } from './documents/document-source.js';
export {
  checkPolicyDocument,
  parsePolicyDocument,
  policyProblems,
  policySchema,
} from './documents/parse-policy-document.js';
export { addRule } from './documents/add-rule.js';
export { exceptionRule, type ExceptionTerms } from './documents/exception-rule.js';
export {
  FixedPolicies,
  JoinedPolicies,
  PolicyDocuments,
  type LoadedPolicies,
  type PolicyFailure,
} from './documents/policy-documents.js';
export { LocalPolicies } from './documents/local-policies.js';
export { type LocalPolicyPlaces } from './documents/policy-places.js';
export { PROFILES, profileDocument, type Profile } from './documents/profile-documents.js';
export { lintPolicies, type LintFinding, type LintOptions } from './documents/policy-lint.js';
export { diffPolicies, type PolicyChange } from './documents/policy-diff.js';
export type { TrustEntry, TrustView } from './trust/trust-entry.js';
export { FileTrustStores, TrustStore, TrustStores, trustFileOf } from './trust/trust-store.js';
export { MemoryTrustStores } from './trust/memory-trust-store.js';
export { describeSubject, isExpired } from './trust/trust-entries.js';
export { offerTrust } from './trust/offer-trust.js';
export { PolicyEngine, type PolicyEngineOptions } from './engine/policy-engine.js';
export type { RecallOptions } from './engine/call-evaluator.js';
export { NotEnrolled, PolicyStateSource } from './engine/policy-state-source.js';
export {
  AutoApprovePermissionPolicy,
  type AutoApproveOptions,
} from './engine/auto-approve-permission-policy.js';
export { runPolicyTests, type PolicyTestOptions, type PolicyTestResult } from './engine/policy-tests.js';
export { explainDecision } from './explain/explain-decision.js';
export { explainLines, explainText, type ExplainLine } from './explain/explain-lines.js';
export type { ExplainView } from './explain/explain-view.js';
export { compilePolicies, type CompiledPolicies, type CompileOptions } from './rules/compiled-policies.js';
export type { CompiledRule } from './rules/compiled-rule.js';
export type { AllowedPlugin, MergedLocks, PluginLocks } from './rules/merged-locks.js';
export { DEFAULT_LOCKS, mergeLocks } from './rules/merge-locks.js';
export { whyNoMatch } from './rules/match/why-no-match.js';
export { decide } from './decide/decide.js';
export type { Verdicts } from './decide/verdicts.js';
export type { PolicyContext } from './policy-context.js';
