/** The canonical capability names. A tool may declare others, and rules then see them as themselves and as `unknown`. */
export const CANONICAL_CAPABILITIES = [
  'fs.read',
  'fs.write',
  'fs.write.outside-project',
  'shell.arbitrary',
  'shell.restricted',
  'shell.exec',
  'net.outbound',
  'memory.read',
  'memory.write',
  'memory.delete',
  'session.todo',
  'session.mode',
  'tool.meta',
  'tool.mutate.any',
  'package.install',
  'mcp.proxy',
  'subagent.spawn',
  'config.mutate',
] as const;

export type CanonicalCapability = (typeof CANONICAL_CAPABILITIES)[number];

/** A capability tag: a canonical name, or one that a tool author invented. */
export type Capability = CanonicalCapability | (string & {});

/** What a subagent, an expired or an undetermined policy state does not get. `unknown` = none declared or not canonical. */
export const DANGEROUS_CAPABILITIES: readonly Capability[] = [
  'shell.arbitrary',
  'fs.write.outside-project',
  'net.outbound',
  'mcp.proxy',
  'package.install',
  'config.mutate',
  'tool.mutate.any',
  'memory.delete',
  'subagent.spawn',
  'unknown',
];

const canonical: ReadonlySet<string> = new Set(CANONICAL_CAPABILITIES);

export function isCanonicalCapability(name: string): name is CanonicalCapability {
  return canonical.has(name);
}
