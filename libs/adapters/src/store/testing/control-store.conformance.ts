import { approvalStoreCases } from './approval-store.conformance.js';
import { auditStoreCases } from './audit-store.conformance.js';
import { identityStoreCases } from './identity-store.conformance.js';
import { policyStoreCases } from './policy-store.conformance.js';
import { runStoreCases } from './run-store.conformance.js';
import type { StoreCase } from './store-harness.js';
import { unitOfWorkCases } from './unit-of-work.conformance.js';
import { workStoreCases } from './work-store.conformance.js';

/** What every control store does, by subject. Each case wants an empty store. */
export const controlStoreCases: Readonly<Record<string, readonly StoreCase[]>> = {
  policies: policyStoreCases,
  identities: identityStoreCases,
  approvals: approvalStoreCases,
  audit: auditStoreCases,
  'fleet and work': workStoreCases,
  runs: runStoreCases,
  'unit of work': unitOfWorkCases,
};
