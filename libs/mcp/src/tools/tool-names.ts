import { sha256 } from '@wrongstack/contracts';

const MOST = 64;

/** A name as models may call it: `[a-z0-9_-]`. */
export function mapped(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
}

/** `mcp__<server>__<tool>`, at most 64 characters: a longer one ends in a piece of its digest instead. */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${mapped(server)}__${mapped(tool)}`;
  if (name.length <= MOST) return name;
  return `${name.slice(0, MOST - 9)}_${sha256(tool).slice(7, 15)}`;
}
