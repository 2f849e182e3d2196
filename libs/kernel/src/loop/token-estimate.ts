import type { Message, ModelRequest, UserBlock, AssistantBlock } from '@wrongstack/contracts';

/** A rough mean over English, code and JSON; on the safe side for most texts. */
const CHARACTERS_PER_TOKEN = 3.5;
const TOKENS_PER_IMAGE = 1_600;
const TOKENS_PER_MESSAGE = 4;

/** Tokens that messages will roughly take. No tokenizer: it would cost more start-up than the estimate is worth. */
export function estimateTokens(messages: readonly Message[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    tokens += TOKENS_PER_MESSAGE;
    for (const block of content) tokens += blockTokens(block);
  }
  return Math.ceil(tokens);
}

export function estimateRequest(request: Pick<ModelRequest, 'system' | 'tools' | 'messages'>): number {
  const fixed =
    request.system.reduce((sum, { text }) => sum + text.length, 0) + JSON.stringify(request.tools).length;
  return estimateTokens(request.messages) + Math.ceil(fixed / CHARACTERS_PER_TOKEN);
}

function blockTokens(block: UserBlock | AssistantBlock): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text.length / CHARACTERS_PER_TOKEN;
    case 'image':
      return TOKENS_PER_IMAGE;
    case 'tool_use':
      return (block.name.length + JSON.stringify(block.input ?? null).length) / CHARACTERS_PER_TOKEN;
    case 'tool_result':
      return block.content.reduce((sum, inner) => sum + blockTokens(inner), 0);
  }
}
