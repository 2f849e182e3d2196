import type { Config, Context, Message, ModelRequest, RegisteredTool } from '@wrongstack/contracts';
import type { SystemPromptBuilder } from './system-prompt.js';
import { offeredSchema } from '../execution/background-input.js';
import { descriptionOf } from './tool-text.js';

const MAX_OUTPUT_TOKENS = 8_192;

/** The request of one turn, before the request pipeline. A plain object: middleware may change it. */
export async function turnRequest(
  context: Context,
  parts: {
    readonly provider: Config['provider'];
    readonly prompt: SystemPromptBuilder;
    readonly tools: readonly RegisteredTool[];
    readonly messages: readonly Message[];
    /** Whether there is a queue for calls in the background. */
    readonly background: boolean;
  },
): Promise<ModelRequest> {
  const { model, maxOutputTokens = MAX_OUTPUT_TOKENS, temperature } = parts.provider;
  return {
    model,
    system: await parts.prompt.build(context),
    messages: parts.messages,
    tools: parts.tools.map((tool) => ({
      name: tool.name,
      description: descriptionOf(tool),
      inputSchema: offeredSchema(tool, parts.background),
    })),
    maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
  };
}
