import type {
  AssistantBlock,
  ContentBlock,
  Message,
  ModelRequest,
  ThinkingBlock,
  UserBlock,
} from '@wrongstack/contracts';
import { wireInput, wireName } from '../tool-calls.js';

interface WireBlock {
  readonly type: string;
  cache_control?: { readonly type: 'ephemeral' };
  readonly [field: string]: unknown;
}

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: WireBlock[];
}

/** Marks thinking that the provider handed out encrypted; the rest of the signature is its data. */
export const REDACTED = 'redacted:';

/** The body of a Messages request. Cache breakpoints: system, tools and the last two user messages (four are allowed). */
export function encodeAnthropicRequest(request: ModelRequest): Readonly<Record<string, unknown>> {
  const system: WireBlock[] = request.system
    .filter((block) => block.text !== '')
    .map((block) => ({ ...block }));
  const tools = request.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema,
  }));
  const messages = mergeNeighbours(request.messages.map(encodeMessage));
  markCached(system.at(-1));
  for (const message of messages.filter(({ role }) => role === 'user').slice(-2)) {
    markCached(message.content.at(-1));
  }
  return {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(system.length > 0 && { system }),
    messages,
    ...(tools.length > 0 && { tools: withLastCached(tools) }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
  };
}

function markCached(block: WireBlock | undefined): void {
  if (block) block.cache_control = { type: 'ephemeral' };
}

function withLastCached(tools: readonly object[]): object[] {
  return tools.map((tool, index) =>
    index === tools.length - 1 ? { ...tool, cache_control: { type: 'ephemeral' } } : tool,
  );
}

function encodeMessage(message: Message): WireMessage {
  if (message.role === 'assistant') {
    return { role: 'assistant', content: message.content.flatMap(encodeAssistantBlock) };
  }
  const blocks = message.content.flatMap(encodeUserBlock);
  return { role: 'user', content: blocks };
}

/** Neighbours of one role become one message: the results of a turn's calls have to arrive together, and first. */
function mergeNeighbours(messages: readonly WireMessage[]): WireMessage[] {
  const merged: WireMessage[] = [];
  for (const { role, content } of messages) {
    if (content.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else merged.push({ role, content: [...content] });
  }
  return merged.map(({ role, content }) => ({
    role,
    content:
      role === 'user'
        ? [...content.filter(isResult), ...content.filter((block) => !isResult(block))]
        : content,
  }));
}

function isResult(block: WireBlock): boolean {
  return block.type === 'tool_result';
}

function encodeUserBlock(block: UserBlock): WireBlock[] {
  if (block.type !== 'tool_result') return encodeContent(block);
  const content = block.content.flatMap(encodeContent);
  return [
    {
      type: 'tool_result',
      tool_use_id: block.id,
      ...(content.length > 0 && { content }),
      ...(block.isError && { is_error: true }),
    },
  ];
}

function encodeContent(block: ContentBlock): WireBlock[] {
  if (block.type === 'image') {
    return [{ type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } }];
  }
  // Empty text is refused by the provider.
  return block.text === '' ? [] : [{ type: 'text', text: block.text }];
}

function encodeAssistantBlock(block: AssistantBlock): WireBlock[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'thinking':
      return encodeThinking(block);
    case 'tool_use':
      return [{ type: 'tool_use', id: block.id, name: wireName(block.name), input: wireInput(block) }];
  }
}

/** Thinking without this provider's own signature is refused by it, so that of other providers stays behind. */
function encodeThinking({ text, signature }: ThinkingBlock): WireBlock[] {
  if (signature === undefined || signature === '' || signature.startsWith('{')) return [];
  if (signature.startsWith(REDACTED)) {
    return [{ type: 'redacted_thinking', data: signature.slice(REDACTED.length) }];
  }
  return [{ type: 'thinking', thinking: text, signature }];
}
