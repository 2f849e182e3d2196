import type {
  CallToolResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpCallLine, McpOffer } from '../mcp-offer.js';
import { fixturePrompt, FIXTURE_PROMPTS } from './conformance-prompts.js';
import { FIXTURE_TOOLS } from './conformance-tools.js';
import { PIXEL } from './fixture-media.js';

const RESOURCES: readonly Resource[] = [
  { uri: 'test://static-text', name: 'static-text', description: 'A text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', description: 'A pixel', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched', description: 'To subscribe to', mimeType: 'text/plain' },
];

const TEMPLATES: readonly ResourceTemplate[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'Data by id',
    mimeType: 'application/json',
  },
];

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

/**
 * What the protocol's conformance suite asks servers by name. The server around it is the real one; nothing of this touches
 * a file, a program or a host, so it needs no policy.
 */
export class ConformanceOffer implements McpOffer {
  tools() {
    return FIXTURE_TOOLS.map(({ tool }) => tool);
  }

  async call(name: string, input: unknown, line: McpCallLine): Promise<CallToolResult> {
    const found = FIXTURE_TOOLS.find(({ tool }) => tool.name === name);
    try {
      if (found === undefined) throw new Error(`no fixture ${name}`);
      // The library has checked that arguments are an object.
      return await found.run(input as Readonly<Record<string, unknown>>, line);
    } catch (error) {
      return {
        content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }],
        isError: true,
      };
    }
  }

  resources(): readonly Resource[] {
    return RESOURCES;
  }

  templates(): readonly ResourceTemplate[] {
    return TEMPLATES;
  }

  async read(uri: string): Promise<ReadResourceResult | null> {
    if (uri === 'test://static-text') {
      return {
        contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
      };
    }
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
    if (uri === 'test://watched-resource') {
      return { contents: [{ uri, mimeType: 'text/plain', text: 'watched' }] };
    }
    const id = TEMPLATE.exec(uri)?.[1];
    if (id === undefined) return null;
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }

  prompts() {
    return FIXTURE_PROMPTS;
  }

  prompt(name: string, args: Readonly<Record<string, string>>) {
    return fixturePrompt(name, args);
  }

  complete(_reference: string, _argument: string, value: string): string[] {
    return ['testing', 'tests', 'texts'].filter((word) => word.startsWith(value));
  }

  async close(): Promise<void> {
    // Holds nothing.
  }
}
