import type { WireFormat } from '../wire-format.js';
import { ChatStreamDecoder } from './decode-stream.js';
import type { OutputLimitField } from './encode-request.js';
import { encodeChatRequest } from './encode-request.js';

export function bearer(apiKey: string | undefined): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

function chatFormat(
  limit: OutputLimitField,
  identity: Pick<WireFormat, 'type' | 'family' | 'credential' | 'needsKey'>,
): WireFormat {
  return {
    ...identity,
    defaultBaseUrl: 'https://api.openai.com/v1',
    path: '/chat/completions',
    headers: bearer,
    encode: (request) => encodeChatRequest(request, limit),
    decoder: (request) => new ChatStreamDecoder(request),
  };
}

/** OpenAI Chat Completions. */
export const openAiChatFormat: WireFormat = chatFormat('max_completion_tokens', {
  type: 'openai',
  family: 'openai',
  credential: 'OPENAI_API_KEY',
  needsKey: true,
});

/** The same for any server that follows it; local ones want no key. */
export const openAiCompatibleFormat: WireFormat = chatFormat('max_tokens', {
  type: 'openai-compatible',
  family: 'openai-compatible',
  credential: 'OPENAI_API_KEY',
  needsKey: false,
});
