import type { PolicyState, PolicyTier } from '@wrongstack/contracts';
import type { PolicyDocument, PolicyLocks, PolicyRule } from '../../src/documents/policy-document.js';
import type { PolicyContext } from '../../src/policy-context.js';
import { compilePolicies } from '../../src/rules/compiled-policies.js';
import type { TrustEntry, TrustView } from '../../src/trust/trust-entry.js';
import { HOME } from './synthetic-facts.js';

export type RuleOverrides = Partial<PolicyRule> & Pick<PolicyRule, 'effect'>;

export interface DocumentOverrides {
  readonly tier: PolicyTier;
  readonly id?: string;
  readonly ref?: string;
  readonly mode?: PolicyDocument['mode'];
  readonly expiresAt?: string;
  readonly locks?: PolicyLocks;
  readonly sets?: PolicyDocument['sets'];
  readonly rules?: readonly RuleOverrides[];
}

export function policyDocument(overrides: DocumentOverrides): PolicyDocument {
  const { tier, id = tier.toLowerCase(), ref, mode, expiresAt, locks, sets, rules = [] } = overrides;
  return {
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: { id, revision: 1, scope: { tier, ref }, expiresAt },
    mode,
    locks,
    sets,
    rules: rules.map((rule, index) => ({
      id: `${rule.effect}-${index}`,
      actions: ['*'],
      because: `because of ${rule.id ?? `${rule.effect}-${index}`}`,
      ...rule,
    })),
  };
}

export interface ContextOverrides {
  readonly documents?: readonly PolicyDocument[];
  readonly trust?: TrustView | readonly TrustEntry[];
  readonly state?: PolicyState;
  readonly failure?: PolicyContext['failure'];
}

export function policyContext(overrides: ContextOverrides = {}): PolicyContext {
  const { documents = [], trust = [], state = 'none', failure = null } = overrides;
  return {
    policies: compilePolicies(documents, { home: HOME }),
    trust: isView(trust) ? trust : { status: 'ok', entries: trust },
    state,
    failure,
  };
}

function isView(trust: TrustView | readonly TrustEntry[]): trust is TrustView {
  return !Array.isArray(trust);
}

export function trustEntry(overrides: Partial<TrustEntry> & Pick<TrustEntry, 'subject'>): TrustEntry {
  return {
    id: 'entry-1',
    effect: 'allow',
    tool: 'note',
    owner: 'core',
    definitionDigest: 'sha256:note',
    expiresAt: '2026-03-05T12:00:00.000Z',
    grantedBy: 'ada',
    grantedAt: '2026-03-04T11:00:00.000Z',
    ...overrides,
  };
}
