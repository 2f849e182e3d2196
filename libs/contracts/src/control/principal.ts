export const CONTROL_ROLES = ['admin', 'policyEditor', 'approver', 'auditor', 'developer', 'agent'] as const;
export type ControlRole = (typeof CONTROL_ROLES)[number];

/** Who asks. Made by authentication, trusted behind it. */
export interface Principal {
  readonly id: string;
  readonly kind: 'user' | 'service' | 'agent';
  readonly name: string;
  readonly teams: readonly string[];
  readonly roles: readonly ControlRole[];
}
