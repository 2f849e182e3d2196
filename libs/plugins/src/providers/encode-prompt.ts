import type { Message, ModelRequest, ToolResultBlock } from '@wrongstack/contracts';
import type { AiFile, AiMessage, AiText } from './ai-language-model.js';

/** Our conversation in the AI SDK's words. Results follow the call that asked for them, in a message of their own. */
export function encodePrompt({ system, messages }: ModelRequest): AiMessage[] {
  const names = new Map<string, string>();
  const text = system.map((block) => block.text).join('\n\n');
  return [
    ...(text === '' ? [] : [{ role: 'system' as const, content: text }]),
    ...messages.flatMap((message) => encodeMessage(message, names)),
  ];
}

function encodeMessage(message: Message, names: Map<string, string>): AiMessage[] {
  if (message.role === 'assistant') {
    const content = message.content.map((block) => {
      if (block.type === 'text') return { type: 'text' as const, text: block.text };
      if (block.type === 'thinking') return { type: 'reasoning' as const, text: block.text };
      names.set(block.id, block.name);
      return { type: 'tool-call' as const, toolCallId: block.id, toolName: block.name, input: block.input };
    });
    return [{ role: 'assistant', content }];
  }
  const results = message.content.flatMap((block) =>
    block.type === 'tool_result' ? [encodeResult(block, names)] : [],
  );
  const said = message.content.flatMap((block): (AiText | AiFile)[] => {
    if (block.type === 'text') return [{ type: 'text' as const, text: block.text }];
    if (block.type === 'image')
      return [{ type: 'file' as const, mediaType: block.mediaType, data: block.data }];
    // Their results hold text alone, so a tool's pictures follow as if the person had sent them.
    return block.content.flatMap((one) =>
      one.type === 'image' ? [{ type: 'file' as const, mediaType: one.mediaType, data: one.data }] : [],
    );
  });
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(said.length === 0 ? [] : [{ role: 'user' as const, content: said }]),
  ];
}

function encodeResult({ id, content, isError }: ToolResultBlock, names: ReadonlyMap<string, string>) {
  const value = content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
  return {
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: names.get(id) ?? 'unknown',
    output: { type: isError ? ('error-text' as const) : ('text' as const), value },
  };
}
