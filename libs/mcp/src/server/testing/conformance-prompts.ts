import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { PIXEL } from './fixture-media.js';

export const FIXTURE_PROMPTS: readonly Prompt[] = [
  { name: 'test_simple_prompt', description: 'No arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'Two arguments',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource in a message',
    arguments: [{ name: 'resourceUri', description: 'Which resource', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'An image in a message' },
];

type Content = GetPromptResult['messages'][number]['content'];

export function fixturePrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult | null {
  switch (name) {
    case 'test_simple_prompt':
      return said(text('This is a simple prompt for testing.'));
    case 'test_prompt_with_arguments':
      return said(text(`Prompt with arguments: arg1='${args['arg1'] ?? ''}', arg2='${args['arg2'] ?? ''}'`));
    case 'test_prompt_with_embedded_resource':
      return said(
        {
          type: 'resource',
          resource: {
            uri: args['resourceUri'] ?? '',
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        text('Please process the embedded resource above.'),
      );
    case 'test_prompt_with_image':
      return said(
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        text('Please analyze the image above.'),
      );
    default:
      return null;
  }
}

function text(value: string): Content {
  return { type: 'text', text: value };
}

function said(...contents: readonly Content[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
