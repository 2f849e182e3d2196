import { setTimeout as wait } from 'node:timers/promises';
import type { CallToolResult, ElicitRequestFormParams, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { McpCallLine } from '../mcp-offer.js';
import { PIXEL, SILENCE } from './fixture-media.js';

type Content = CallToolResult['content'];
type Run = (input: Readonly<Record<string, unknown>>, line: McpCallLine) => Promise<CallToolResult>;

interface FixtureTool {
  readonly tool: Tool;
  readonly run: Run;
}

const PAUSE_MS = 50;

const fixture = (
  name: string,
  description: string,
  run: Run,
  properties: Tool['inputSchema']['properties'] = {},
): FixtureTool => ({
  tool: { name, description, inputSchema: { type: 'object', properties } },
  run,
});

const text = (value: string): Content[number] => ({ type: 'text', text: value });
const answer = (...content: Content): Promise<CallToolResult> => Promise.resolve({ content });

const NAMES = ['option1', 'option2', 'option3'];
const titled = (word: string) =>
  ['First', 'Second', 'Third'].map((title, index) => ({
    const: `value${index + 1}`,
    title: `${title} ${word}`,
  }));

const DEFAULTS: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const ENUMS: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: NAMES },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: NAMES } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};

async function elicited(
  line: McpCallLine,
  requestedSchema: ElicitRequestFormParams['requestedSchema'],
): Promise<CallToolResult> {
  const { action, content } = await line.elicit({ mode: 'form', message: 'Please answer', requestedSchema });
  return answer(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`));
}

export const FIXTURE_TOOLS: readonly FixtureTool[] = [
  fixture('test_simple_text', 'A text', () => answer(text('This is a simple text response for testing.'))),
  fixture('test_image_content', 'An image', () =>
    answer({ type: 'image', data: PIXEL, mimeType: 'image/png' }),
  ),
  fixture('test_audio_content', 'A sound', () =>
    answer({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }),
  ),
  fixture('test_embedded_resource', 'A resource', () =>
    answer({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  ),
  fixture('test_multiple_content_types', 'Several kinds', () =>
    answer(
      text('Multiple content types test:'),
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ),
  ),
  fixture('test_tool_with_logging', 'Says what it does', async (_input, line) => {
    await line.log('info', 'Tool execution started');
    await wait(PAUSE_MS);
    await line.log('info', 'Tool processing data');
    await wait(PAUSE_MS);
    await line.log('info', 'Tool execution completed');
    return answer(text('Tool with logging executed'));
  }),
  fixture('test_error_handling', 'Always fails', () =>
    Promise.reject(new Error('This tool intentionally returns an error for testing')),
  ),
  fixture('test_tool_with_progress', 'Reports progress', async (_input, line) => {
    for (const progress of [0, 50, 100]) {
      line.progress?.(progress, undefined, 100);
      await wait(PAUSE_MS);
    }
    return answer(text('Tool with progress executed'));
  }),
  fixture(
    'test_sampling',
    'Asks the client’s model',
    async ({ prompt }, line) => {
      if (!line.peer.samples) throw new Error('the client does not support sampling');
      return answer(text(`LLM response: ${await line.sample(String(prompt), 100)}`));
    },
    { prompt: { type: 'string' } },
  ),
  fixture(
    'test_elicitation',
    'Asks the person',
    async ({ message }, line) => {
      if (!line.peer.elicits) throw new Error('the client does not support elicitation');
      const { action, content } = await line.elicit({
        mode: 'form',
        message: String(message),
        requestedSchema: {
          type: 'object',
          properties: {
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          },
          required: ['username', 'email'],
        },
      });
      return answer(text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`));
    },
    { message: { type: 'string' } },
  ),
  fixture('test_elicitation_sep1034_defaults', 'Asks with defaults', (_input, line) =>
    elicited(line, DEFAULTS),
  ),
  fixture('test_elicitation_sep1330_enums', 'Asks with choices', (_input, line) => elicited(line, ENUMS)),
  fixture('test_reconnection', 'Hangs up before it answers', async (_input, line) => {
    await wait(PAUSE_MS);
    line.hangUp?.();
    await wait(2 * PAUSE_MS);
    return answer(text('Reconnection test completed'));
  }),
  {
    tool: {
      name: 'json_schema_2020_12_tool',
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
        },
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        additionalProperties: false,
      },
    },
    run: () => answer(text('ok')),
  },
];
