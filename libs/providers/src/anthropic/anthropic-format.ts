import type { WireFormat } from '../wire-format.js';
import { AnthropicStreamDecoder } from './decode-stream.js';
import { encodeAnthropicRequest } from './encode-request.js';

const API_VERSION = '2023-06-01';

/** Anthropic Messages. */
export const anthropicFormat: WireFormat = {
  type: 'anthropic',
  family: 'anthropic',
  defaultBaseUrl: 'https://api.anthropic.com',
  path: '/v1/messages',
  credential: 'ANTHROPIC_API_KEY',
  needsKey: true,
  headers: (apiKey) => ({
    'anthropic-version': API_VERSION,
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
  }),
  encode: encodeAnthropicRequest,
  decoder: (request) => new AnthropicStreamDecoder(request),
};
