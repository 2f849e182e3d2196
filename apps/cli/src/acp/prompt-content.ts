import { fileURLToPath } from 'node:url';
import { type ContentBlock as WireBlock, RequestError } from '@agentclientprotocol/sdk';
import type { ContentBlock } from '@wrongstack/contracts';

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A prompt as the model gets it. Throws invalid params for what we never said that we take. */
export function promptContent(prompt: readonly WireBlock[]): ContentBlock[] {
  const blocks = prompt.flatMap(blockOf);
  const empty = blocks.every((block) => block.type === 'text' && block.text.trim() === '');
  if (empty) throw RequestError.invalidParams(undefined, 'the prompt is empty');
  return blocks;
}

function blockOf(block: WireBlock): ContentBlock[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'image':
      return [image(block.mimeType, block.data)];
    case 'audio':
      throw RequestError.invalidParams(undefined, 'audio is not supported: send text or images');
    case 'resource_link':
      return [{ type: 'text', text: `[${block.title ?? block.name}](${placeOf(block.uri)})` }];
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return [{ type: 'text', text: embedded(resource.uri, resource.text) }];
      if (IMAGE_TYPES.has(resource.mimeType ?? '')) return [image(resource.mimeType ?? '', resource.blob)];
      return [{ type: 'text', text: `[${placeOf(resource.uri)} is binary and was not attached]` }];
    }
  }
}

function image(mediaType: string, data: string): ContentBlock {
  if (!IMAGE_TYPES.has(mediaType)) {
    throw RequestError.invalidParams(
      undefined,
      `images of type ${mediaType} are not supported: send PNG or JPEG`,
    );
  }
  if (!BASE64.test(data)) throw RequestError.invalidParams(undefined, 'the image is no base64');
  return { type: 'image', mediaType, data };
}

/** The text of a resource in a fence that it cannot close: what it says stays apart from what the person says. */
function embedded(uri: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${placeOf(uri)}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** A local file is named by its path, as tools want it. */
function placeOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
