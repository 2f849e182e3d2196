export { anthropicStream } from './anthropic-stream.js';
export {
  startLoopbackModelServer,
  type LoopbackModelServer,
  type RecordedRequest,
} from './loopback-model-server.js';
export type { LoopbackCall, LoopbackTurn } from './model-turn-script.js';
export { openAiChatStream } from './openai-chat-stream.js';
export { openAiResponsesStream } from './openai-responses-stream.js';
