import {
  type CallId,
  NOBODY,
  type SessionFacts,
  type ToolCall,
  type ToolClaims,
} from '@wrongstack/contracts';

export const AT_THE_KEYBOARD: SessionFacts = {
  mode: 'default',
  interactive: true,
  yolo: false,
  sandboxed: false,
  remoteApprovals: false,
};

/** A core tool that needs confirmation and describes itself with the given claims; for policy tests and specs. */
export function sampleCall(
  projectRoot: string,
  claims: ToolClaims | (() => unknown),
  change: { readonly tool?: Partial<ToolCall['tool']> } & Partial<Omit<ToolCall, 'tool'>> = {},
): ToolCall {
  const { tool, ...rest } = change;
  return {
    id: 'c-1' as CallId,
    input: {},
    actor: NOBODY,
    session: AT_THE_KEYBOARD,
    cwd: projectRoot,
    projectRoot,
    scratchDirs: [],
    background: false,
    hookDemands: [],
    nesting: 0,
    ...rest,
    tool: {
      name: 'sample',
      description: 'A tool for tests.',
      inputSchema: { type: 'object' },
      permission: 'confirm',
      mutating: true,
      capabilities: ['shell.arbitrary'],
      owner: 'core',
      definitionDigest: `sha256:${'0'.repeat(64)}`,
      execute: async () => null,
      // Deliberately loose: specs hand in claims that no type would allow.
      describeCall: (typeof claims === 'function' ? claims : () => claims) as () => ToolClaims,
      ...tool,
    },
  };
}
