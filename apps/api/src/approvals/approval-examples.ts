/** A request as a client sends it. */
export const CREATE_EXAMPLE = {
  id: 'ap-20f17f3a9c0b',
  kind: 'approve',
  digest: `sha256:${'9f'.repeat(32)}`,
  decision: 'd-7f3a20f1',
  session: null,
  tool: 'bash',
  title: 'bash terraform apply',
  rule: 'infra-two-people',
  document: 'payments',
  revision: 42,
  because: 'Infra changes need two people',
  view: { title: 'terraform apply' },
  facts: { tool: 'bash' },
  approvers: { count: 2, from: ['platform-oncall'], excludeRequester: true },
  ttlMinutes: 30,
} as const;
