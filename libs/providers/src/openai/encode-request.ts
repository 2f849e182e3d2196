import type { ContentBlock, ImageBlock, Message, ModelRequest, ToolResultBlock } from '@wrongstack/contracts';
import { wireInput, wireName } from '../tool-calls.js';

type WireMessage = Readonly<Record<string, unknown>>;

/** The name of the output limit differs: OpenAI renamed it, and compatible servers mostly know the old one alone. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

/** The body of a Chat Completions request. */
export function encodeChatRequest(request: ModelRequest, limit: OutputLimitField): WireMessage {
  const system = request.system.map((block) => block.text).filter((text) => text !== '');
  return {
    model: request.model,
    stream: true,
    stream_options: { include_usage: true },
    [limit]: request.maxOutputTokens,
    messages: [
      ...(system.length > 0 ? [{ role: 'system', content: system.join('\n\n') }] : []),
      ...request.messages.flatMap(encodeMessage),
    ],
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
  };
}

function encodeMessage(message: Message): WireMessage[] {
  return message.role === 'assistant' ? encodeAssistant(message.content) : encodeUser(message.content);
}

function encodeAssistant(content: Extract<Message, { role: 'assistant' }>['content']): WireMessage[] {
  const text = content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('');
  const calls = content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({
      id: block.id,
      type: 'function',
      function: { name: wireName(block.name), arguments: JSON.stringify(wireInput(block)) },
    }));
  if (text === '' && calls.length === 0) return [];
  return [
    { role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) },
  ];
}

function encodeUser(content: Extract<Message, { role: 'user' }>['content']): WireMessage[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const rest = content.filter((block) => block.type !== 'tool_result');
  // A tool message holds text alone, so images of results follow as if the user had shown them.
  const images = results.flatMap((result) => result.content.filter((block) => block.type === 'image'));
  const parts = [...images, ...rest].flatMap(encodePart);
  return [
    ...results.map(encodeResult),
    ...(parts.length > 0 ? [{ role: 'user', content: joined(parts) }] : []),
  ];
}

function encodeResult(result: ToolResultBlock): WireMessage {
  return { role: 'tool', tool_call_id: result.id, content: resultText(result) };
}

/** The text of a result for formats that have neither an error flag nor images in it. */
export function resultText(result: ToolResultBlock): string {
  const text = result.content
    .map((block) => (block.type === 'text' ? block.text : '[image follows]'))
    .join('\n');
  return result.isError ? `Error: ${text}` : text;
}

function encodePart(block: ContentBlock): WireMessage[] {
  if (block.type === 'image') return [{ type: 'image_url', image_url: { url: dataUrl(block) } }];
  return block.text === '' ? [] : [{ type: 'text', text: block.text }];
}

export function dataUrl(image: ImageBlock): string {
  return `data:${image.mediaType};base64,${image.data}`;
}

/** Plain text where there is nothing else: every compatible server understands that. */
function joined(parts: readonly WireMessage[]): string | readonly WireMessage[] {
  return parts.every((part) => part['type'] === 'text')
    ? parts.map((part) => part['text']).join('\n')
    : parts;
}
