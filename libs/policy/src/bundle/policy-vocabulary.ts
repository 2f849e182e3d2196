/** What a version of the policy language can say. A key that is not listed here cannot be sent to a client of that version. */
export interface PolicyVocabulary {
  readonly apiVersion: string;
  readonly document: readonly string[];
  readonly locks: readonly string[];
  readonly pluginLocks: readonly string[];
  readonly rule: readonly string[];
  readonly effects: readonly string[];
  readonly who: readonly string[];
  readonly when: readonly string[];
  /** Members of `when.path`, `when.command`, and so on. */
  readonly conditions: Readonly<Record<string, readonly string[]>>;
  readonly traits: readonly string[];
  readonly approvers: readonly string[];
  readonly obligations: readonly string[];
  readonly sandboxes: readonly string[];
}

export const POLICY_V1: PolicyVocabulary = {
  apiVersion: 'policy.wrongstack/v1',
  document: ['apiVersion', 'kind', 'metadata', 'mode', 'rollout', 'locks', 'sets', 'rules', 'tests'],
  locks: [
    'yolo',
    'trustGrants',
    'trustTtlHours',
    'headlessConfirm',
    'onUndetermined',
    'staleGraceHours',
    'subagentMaxDepth',
    'plugins',
    'budget',
    'auditFailure',
    'profile',
  ],
  pluginLocks: ['require', 'allow', 'project', 'mutation', 'enforceCapabilities'],
  rule: [
    'id',
    'effect',
    'actions',
    'who',
    'when',
    'because',
    'instead',
    'acknowledgeDestructive',
    'approvers',
    'obligations',
    'mode',
    'expiresAt',
    'overridable',
    'overrides',
    'examples',
  ],
  effects: ['allow', 'confirm', 'approve', 'deny', 'oblige'],
  who: ['org', 'team', 'user', 'role', 'agent', 'subagent', 'plugin'],
  when: [
    'tool',
    'owner',
    'riskTier',
    'path',
    'command',
    'host',
    'mcp',
    'project',
    'cwd',
    'sandboxed',
    'interactive',
    'background',
    'time',
    'any',
    'not',
  ],
  conditions: {
    path: ['every', 'some'],
    command: ['argv', 'has'],
    host: ['every', 'some'],
    mcp: ['server', 'url', 'commandDigest', 'toolDigest', 'pinned'],
    time: ['tz', 'days', 'from', 'to'],
  },
  traits: ['redirect', 'pipe', 'subshell', 'substitution', 'heredoc', 'background', 'envAssign', 'unparsed'],
  approvers: ['count', 'from', 'ttlMinutes', 'excludeRequester'],
  obligations: ['sandbox', 'redact', 'rateLimit'],
  sandboxes: ['read-only', 'workspace-write', 'no-network'],
};

/** Every version that this program can compile for, newest first. */
export const VOCABULARIES: readonly PolicyVocabulary[] = [POLICY_V1];

/** The best of what a client says it understands (`wrongstack-policy-versions`); null = none of it is known here. */
export function vocabularyFor(header: string | undefined): PolicyVocabulary | null {
  if (header === undefined) return POLICY_V1;
  const said = header.split(',').map((version) => version.trim());
  return VOCABULARIES.find(({ apiVersion }) => said.includes(apiVersion)) ?? null;
}
