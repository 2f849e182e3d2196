import type { ContentBlock, JSONSchema, RichToolOutput, Tool } from '@wrongstack/contracts';
import type { Connection } from '../client/connect.js';
import type { Server } from '../client/server-config.js';
import { type McpDefinition, record } from './mcp-definition.js';
import { resourceBlock, toBlock } from './to-content.js';
import { wrapMCPTool } from './wrap-mcp-tool.js';

type Request = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, unknown>>>;

const text = (description: string): JSONSchema => ({ type: 'string', description });

const RESOURCES: McpDefinition = {
  name: 'read_resource',
  description: 'Read a resource of this server by its uri. Without one: list them.',
  inputSchema: { type: 'object', properties: { uri: text('Resource uri') }, additionalProperties: false },
};
const PROMPTS: McpDefinition = {
  name: 'get_prompt',
  description: 'Get a prompt of this server by its name, with its arguments. Without one: list them.',
  inputSchema: {
    type: 'object',
    properties: {
      name: text('Prompt name'),
      arguments: { type: 'object', additionalProperties: { type: 'string' } },
    },
    additionalProperties: false,
  },
};

/** A server's resources and prompts as two tools, governed like its own: what they return is as foreign. */
export function contentTools(
  server: Server,
  connection: Pick<Connection, 'offers'>,
  request: Request,
): readonly { readonly tool: Tool; readonly definition: McpDefinition }[] {
  const tool = (
    definition: McpDefinition,
    run: (input: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<readonly ContentBlock[]>,
  ): { readonly tool: Tool; readonly definition: McpDefinition } => ({
    definition,
    tool: {
      ...wrapMCPTool(definition, {
        server: server.name,
        timeoutMs: server.timeoutMs,
        call: async (_name, input, { signal }): Promise<RichToolOutput> => ({
          content: await run(record(input) ?? {}, signal),
        }),
      }),
      // These words are ours.
      description: `${definition.description ?? ''} MCP server ${server.name}.`,
    },
  });
  return [
    ...(connection.offers('resources')
      ? [
          tool(RESOURCES, async ({ uri }, signal) => {
            if (uri === undefined) return listed(await request('resources/list', {}, signal), 'resources');
            const { contents } = await request('resources/read', { uri }, signal);
            return Array.isArray(contents) ? contents.map((one) => resourceBlock(record(one) ?? {})) : [];
          }),
        ]
      : []),
    ...(connection.offers('prompts')
      ? [
          tool(PROMPTS, async (input, signal) => {
            if (input['name'] === undefined)
              return listed(await request('prompts/list', {}, signal), 'prompts');
            const { messages } = await request('prompts/get', input, signal);
            return Array.isArray(messages) ? messages.map((one) => toBlock(record(one)?.['content'])) : [];
          }),
        ]
      : []),
  ];
}

function listed(answer: Readonly<Record<string, unknown>>, key: string): readonly ContentBlock[] {
  const items: readonly unknown[] = Array.isArray(answer[key]) ? answer[key] : [];
  const shown = items.map((item) => {
    const { uri, name, description, arguments: wanted } = record(item) ?? {};
    return { uri, name, description, arguments: wanted };
  });
  return [{ type: 'text', text: JSON.stringify(shown) }];
}
