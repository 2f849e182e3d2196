import { codeOf, digestOf, type Facts, type ToolCall } from '@wrongstack/contracts';
import type { FactFileSystem } from '../facts/fact-file-system.js';
import { boundFiles } from './bound-files.js';
import { stableFacts } from '../facts/redact-facts.js';

/**
 * What a yes is bound to, as digests by part: the whole for the approval, the parts to say what changed. Nothing that may
 * differ between asking and running (the time, the session, foreground or not) is in it.
 */
export interface ApprovalParts {
  readonly parts: Readonly<Record<string, string>>;
  readonly digest: string;
}

export async function approvalParts(
  call: ToolCall,
  facts: Facts,
  fs: FactFileSystem,
  withFiles: boolean,
): Promise<ApprovalParts> {
  const { actor, tool, owner, definitionDigest, ...rest } = stableFacts(facts);
  const parts: Record<string, string> = {
    actor: digestOf(actor),
    tool: digestOf([tool, owner, definitionDigest]),
    input: digestOf(call.input),
    'working folder': digestOf([call.cwd, facts.cwd]),
  };
  for (const [name, value] of Object.entries(rest)) parts[FACT_NAMES[name] ?? name] = digestOf(value ?? null);
  if (withFiles) {
    for (const path of await boundFiles(facts, fs)) parts[`content of ${path}`] = await hashOf(fs, path);
  }
  return { parts, digest: digestOf(parts) };
}

/** For people; the other facts are called what they are. */
const FACT_NAMES: Readonly<Record<string, string>> = {
  effective: 'capabilities',
  declared: 'declared capabilities',
  callRisk: 'risk',
  riskTier: 'risk tier',
  riskReasons: 'risk reasons',
  mcp: 'MCP server',
  cwd: 'real working folder',
};

/** `content of a.ts changed, paths changed`, or null when both are the same. */
export function whatChanged(before: ApprovalParts, after: ApprovalParts): string | null {
  const names = new Set([...Object.keys(before.parts), ...Object.keys(after.parts)]);
  const changed = [...names].filter((name) => before.parts[name] !== after.parts[name]);
  return changed.length === 0 ? null : changed.map((name) => `${name} changed`).join(', ');
}

async function hashOf(fs: FactFileSystem, path: string): Promise<string> {
  try {
    return await fs.hash(path);
  } catch (error) {
    return `unreadable:${codeOf(error)}`;
  }
}
