import type { AuditIdentity } from '@wrongstack/contracts/control';

/** What a person, a service or an agent may do is the sum of its roles. */
export const ROLES = ['admin', 'policyEditor', 'approver', 'auditor', 'developer', 'agent'] as const;
export type Role = (typeof ROLES)[number];

/** Who calls, once that is proven. */
export interface Principal {
  /** Of the user, the service or the agent. */
  readonly id: string;
  readonly kind: 'user' | 'service' | 'agent';
  readonly org: string;
  /** The person who answers for it: for a user the id itself. */
  readonly user: string;
  readonly teams: readonly string[];
  readonly roles: readonly Role[];
  /** Narrower than the roles: `<action>:<subject>` or `*:<subject>`. Null = all that the roles allow. */
  readonly scopes: readonly string[] | null;
  /** What proved it. `session`: a console's cookie. */
  readonly credential: {
    readonly kind: 'static' | 'token' | 'agent' | 'oidc' | 'session';
    readonly id: string;
  };
}

/** As whom what somebody does stands in the audit log: in the first of their teams, since a record belongs to one. */
export function auditIdentityOf({
  user,
  kind,
  id,
  teams,
}: Pick<Principal, 'user' | 'kind' | 'id' | 'teams'>): AuditIdentity {
  const [team = null] = teams;
  return { actor: user, agent: kind === 'agent' ? id : null, team };
}
