import type {
  AssistantBlock,
  ContentBlock,
  Message,
  ModelRequest,
  ThinkingBlock,
  UserBlock,
} from '@wrongstack/contracts';
import { dataUrl, resultText } from '../openai/encode-request.js';
import { isObject } from '../json-fields.js';
import { wireInput, wireName } from '../tool-calls.js';

type Item = Readonly<Record<string, unknown>>;

/** The body of a Responses request. Nothing is stored at the provider, so the whole conversation travels each time. */
export function encodeResponsesRequest(request: ModelRequest): Item {
  const instructions = request.system.map((block) => block.text).filter((text) => text !== '');
  return {
    model: request.model,
    stream: true,
    store: false,
    max_output_tokens: request.maxOutputTokens,
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    input: request.messages.flatMap(encodeMessage),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: inputSchema,
        strict: false,
      })),
    }),
    // Other models refuse a request that asks for it.
    ...(reasons(request.model) && { include: ['reasoning.encrypted_content'] }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
  };
}

function reasons(model: string): boolean {
  return /^(?:o\d|gpt-(?:[5-9]|\d\d)|codex)/.test(model) && !model.includes('-chat');
}

function encodeMessage(message: Message): Item[] {
  if (message.role === 'assistant') return message.content.flatMap(encodeAssistantBlock);
  return encodeUser(message.content);
}

function encodeUser(content: readonly UserBlock[]): Item[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const rest = content.filter((block) => block.type !== 'tool_result');
  const images = results.flatMap((result) => result.content.filter((block) => block.type === 'image'));
  const parts = [...images, ...rest].flatMap(encodePart);
  return [
    ...results.map((result) => ({
      type: 'function_call_output',
      call_id: result.id,
      output: resultText(result),
    })),
    ...(parts.length > 0 ? [{ type: 'message', role: 'user', content: parts }] : []),
  ];
}

function encodePart(block: ContentBlock): Item[] {
  if (block.type === 'image') return [{ type: 'input_image', image_url: dataUrl(block) }];
  return block.text === '' ? [] : [{ type: 'input_text', text: block.text }];
}

function encodeAssistantBlock(block: AssistantBlock): Item[] {
  switch (block.type) {
    case 'text':
      return block.text === ''
        ? []
        : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: block.text }] }];
    case 'thinking':
      return encodeThinking(block);
    case 'tool_use':
      return [
        {
          type: 'function_call',
          call_id: block.id,
          name: wireName(block.name),
          arguments: JSON.stringify(wireInput(block)),
        },
      ];
  }
}

/** Only encrypted reasoning of this very format can be handed back; its signature is the JSON of the item. */
function encodeThinking({ text, signature }: ThinkingBlock): Item[] {
  const item = signature?.startsWith('{') ? parseSignature(signature) : undefined;
  if (item === undefined) return [];
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return [{ ...item, type: 'reasoning', summary }];
}

/** A session file may have been edited: what is not such an item is left out rather than sent. */
function parseSignature(signature: string): Item | undefined {
  try {
    const item: unknown = JSON.parse(signature);
    if (!isObject(item)) return undefined;
    const { id, encrypted_content } = item;
    return typeof id === 'string' && typeof encrypted_content === 'string'
      ? { id, encrypted_content }
      : undefined;
  } catch {
    return undefined;
  }
}
