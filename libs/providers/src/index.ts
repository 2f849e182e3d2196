export { anthropicFormat } from './anthropic/anthropic-format.js';
export { builtInProviders, defaultCredentials } from './built-in-providers.js';
export {
  configuredProvider,
  credentialName,
  storedAs,
  type ProviderSourceParts,
} from './configured-provider.js';
export { openAiResponsesFormat } from './openai-responses/openai-responses-format.js';
export { openAiChatFormat, openAiCompatibleFormat } from './openai/openai-chat-format.js';
export { parseScript } from './scripted/parse-script.js';
export type {
  Script,
  ScriptCall,
  ScriptError,
  ScriptExpectation,
  ScriptResultMatcher,
  ScriptTurn,
} from './scripted/script.js';
export { ScriptedProvider, type ScriptedProviderOptions } from './scripted/scripted-provider.js';
export { CallIds, toolUse } from './tool-calls.js';
export { WireFailure, malformed } from './wire-format.js';
export type { ServerSentEvent, StreamDecoder, WireFormat } from './wire-format.js';
export { WireFormatProvider, type WireFormatProviderOptions } from './wire-format-provider.js';
