import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Capability, RegisteredTool } from '@wrongstack/contracts';

/** Tools that steer an agent of ours, or look tools up: a client has its own means for both. */
const OURS: ReadonlySet<Capability> = new Set<Capability>([
  'subagent.spawn',
  'session.mode',
  'session.todo',
  'tool.meta',
  'tool.mutate.any',
  'mcp.proxy',
  'config.mutate',
]);

const OUTSIDE: ReadonlySet<Capability> = new Set<Capability>([
  'net.outbound',
  'shell.arbitrary',
  'shell.restricted',
  'shell.exec',
  'package.install',
]);

/** Calls that can take longer may be started as tasks. */
const LONG_MS = 60_000;

const OUTPUT_SCHEMA: NonNullable<Tool['outputSchema']> = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok', 'failed', 'denied', 'timeout', 'aborted', 'parked'] },
    text: { type: 'string', description: 'The text of the content' },
    exitCode: { type: 'integer', description: 'Of the program that was run' },
    truncated: { type: 'boolean' },
    files: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, added: { type: 'integer' }, removed: { type: 'integer' } },
        required: ['path', 'added', 'removed'],
      },
    },
    decision: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        verdict: { type: 'string' },
        by: { type: 'string' },
        because: { type: 'string' },
        instead: { type: 'string' },
      },
      required: ['id', 'verdict', 'by', 'because'],
    },
    approval: { type: 'string', description: 'What a parked call waits for' },
  },
  required: ['status', 'text', 'truncated'],
};

export function isServed({ capabilities = [] }: RegisteredTool): boolean {
  return !capabilities.some((capability) => OURS.has(capability));
}

/** A tool as the protocol lists it. Annotations are hints for people; what may run is decided call by call. */
export function listedTool(tool: RegisteredTool): Tool {
  const { name, description, mutating, riskTier, idempotent, capabilities = [], timeoutMs = 0 } = tool;
  const outside = capabilities.some((capability) => OUTSIDE.has(capability));
  return {
    name,
    title: titleOf(name),
    description,
    // A registered schema describes an object; the type is missing where the author left it out.
    inputSchema: { ...(tool.inputSchema as Record<string, unknown>), type: 'object' },
    outputSchema: OUTPUT_SCHEMA,
    annotations: {
      title: titleOf(name),
      readOnlyHint: !mutating,
      destructiveHint: mutating && (riskTier === 'destructive' || outside),
      idempotentHint: idempotent === true,
      openWorldHint: outside,
    },
    execution: { taskSupport: timeoutMs > LONG_MS ? 'optional' : 'forbidden' },
  };
}

function titleOf(name: string): string {
  const words = name.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
