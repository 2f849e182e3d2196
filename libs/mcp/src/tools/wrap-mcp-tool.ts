import type { JSONSchema, RichToolOutput, Tool, ToolCallView, ToolOptions } from '@wrongstack/contracts';
import type { McpDefinition } from './mcp-definition.js';
import { mcpToolName } from './tool-names.js';
import { cleanSchema, cleanText, quotedText } from './untrusted-text.js';

const MOST_DESCRIPTION = 1_024;
const MOST_SHOWN = 4_000;

export interface WrapOptions {
  readonly server: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** What is different from the definition that was pinned; null when nothing is, or nothing was. */
  readonly changes?: readonly string[] | null;
  readonly call: (tool: string, input: unknown, options: ToolOptions) => Promise<RichToolOutput>;
}

/**
 * A server's tool as one of ours. Whatever the server says of it, it asks first, counts as changing things and carries
 * `mcp.proxy`; a hint that it destroys is believed, one that it is harmless is not.
 */
export function wrapMCPTool(definition: McpDefinition, options: WrapOptions): Tool<Record<string, unknown>> {
  const { server, timeoutMs, changes = null } = options;
  const title = cleanText(definition.name, 80);
  return {
    name: mcpToolName(server, definition.name),
    description:
      quotedText(server, definition.description ?? definition.title ?? '', MOST_DESCRIPTION) ||
      `Tool ${title} of MCP server ${server}.`,
    category: `MCP ${server}`,
    // Only texts are touched: what the schema checks is what the server asked for.
    inputSchema: cleanSchema(definition.inputSchema) as JSONSchema,
    permission: 'confirm',
    mutating: true,
    riskTier: definition.annotations?.['destructiveHint'] === true ? 'destructive' : 'standard',
    capabilities: ['mcp.proxy'],
    // Ours ends the call at the server; the executor's own limit is for a server that does not even hear that.
    timeoutMs: timeoutMs + 5_000,
    execute: (input, _context, callOptions) => options.call(definition.name, input, callOptions),
    presentCall: (input): ToolCallView => ({
      card: 'generic',
      title: `${title} on ${server}`,
      kind: 'other',
      rawInput: input,
      content: [{ type: 'text', text: shownText(input, changes) }],
    }),
  };
}

/** The whole input, and above it what the server changed since somebody looked. */
function shownText(input: unknown, changes: readonly string[] | null): string {
  const text = JSON.stringify(input, null, 2);
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  if (changes === null || changes.length === 0) return shown;
  return `The server changed this tool since it was accepted:\n${changes.map((one) => `  ${one}`).join('\n')}\n${shown}`;
}
