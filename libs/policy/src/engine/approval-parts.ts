import { CanonicalGaps, codeOf, digestOf, sha256, type Facts, type ToolCall } from '@wrongstack/contracts';
import type { FactFileSystem } from '../facts/fact-file-system.js';
import { boundFiles } from './bound-files.js';
import { stableFacts } from '../facts/redact-facts.js';

/**
 * What a yes is bound to, as digests by part: the whole for the approval, the parts to say what changed. Nothing that may
 * differ between asking and running (the time, the session, foreground or not) is in it.
 */
export interface ApprovalParts {
  /** Digests by name; null where nobody is asked, and so nothing can become void. */
  readonly parts: Readonly<Record<string, string>> | null;
  readonly digest: string;
}

/** The same, but for who acts. */
export interface BoundParts {
  readonly parts: Readonly<Record<string, string>> | null;
  readonly text: CanonicalGaps<'actor'>;
}

export async function boundParts(
  call: Pick<ToolCall, 'input' | 'cwd'>,
  facts: Facts,
  fs: FactFileSystem,
  asks: boolean,
): Promise<BoundParts> {
  const { actor: _actor, tool, owner, definitionDigest, ...rest } = stableFacts(facts);
  const bound: Record<string, unknown> = {
    tool: [tool, owner, definitionDigest],
    input: call.input,
    'working folder': [call.cwd, facts.cwd],
  };
  for (const [name, value] of Object.entries(rest)) bound[FACT_NAMES[name] ?? name] = value ?? null;
  if (asks) {
    for (const path of await boundFiles(facts, fs)) bound[`content of ${path}`] = await hashOf(fs, path);
  }
  return { parts: asks ? digestsOf(bound) : null, text: new CanonicalGaps(bound, ['actor']) };
}

/** `actor`: who acts, as canonical JSON. */
export function approvalParts({ parts, text }: BoundParts, actor: string): ApprovalParts {
  return {
    parts: parts === null ? null : { ...parts, actor: sha256(actor) },
    digest: sha256(text.fill({ actor })),
  };
}

function digestsOf(bound: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(bound).map(([name, value]) => [name, digestOf(value)]));
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

/** `content of a.ts changed, paths changed`, or null when both are the same, or it cannot be told. */
export function whatChanged(
  { parts: before }: ApprovalParts,
  { parts: after }: ApprovalParts,
): string | null {
  if (before === null || after === null) return null;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before[name] !== after[name]);
  return changed.length === 0 ? null : changed.map((name) => `${name} changed`).join(', ');
}

async function hashOf(fs: FactFileSystem, path: string): Promise<string> {
  try {
    return await fs.hash(path);
  } catch (error) {
    return `unreadable:${codeOf(error)}`;
  }
}
