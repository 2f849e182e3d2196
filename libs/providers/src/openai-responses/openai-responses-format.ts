import { bearer } from '../openai/openai-chat-format.js';
import type { WireFormat } from '../wire-format.js';
import { ResponsesStreamDecoder } from './decode-stream.js';
import { encodeResponsesRequest } from './encode-request.js';

/** OpenAI Responses. */
export const openAiResponsesFormat: WireFormat = {
  type: 'openai-responses',
  family: 'openai',
  defaultBaseUrl: 'https://api.openai.com/v1',
  path: '/responses',
  credential: 'OPENAI_API_KEY',
  needsKey: true,
  headers: bearer,
  encode: encodeResponsesRequest,
  decoder: (request) => new ResponsesStreamDecoder(request),
};
