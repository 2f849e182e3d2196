import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Sandbox } from './cli-process.spec-support.js';

const BIN = path.resolve(__dirname, '../../bin/wstack.cjs');

export interface ServedOptions {
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What its person says; without it there is nobody to ask. */
  readonly answer?: (request: ElicitRequest) => ElicitResult | Promise<ElicitResult>;
}

export interface CallEnd {
  readonly status: string;
  readonly text: string;
}

/** The built `wstack mcp serve`, started by a real client of the protocol. */
export class ServedTools {
  private constructor(
    readonly client: Client,
    private readonly transport: StdioClientTransport,
  ) {}

  static async start({ home, project }: Sandbox, options: ServedOptions = {}): Promise<ServedTools> {
    const { name = 'other-agent', env = {}, answer } = options;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', 'serve'],
      cwd: project,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
      stderr: 'inherit',
    });
    const capabilities = answer === undefined ? {} : { elicitation: {} };
    const client = new Client({ name, version: '1' }, { capabilities });
    if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
    await client.connect(transport);
    return new ServedTools(client, transport);
  }

  async call(tool: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<CallEnd> {
    const options = signal === undefined ? {} : { signal };
    const result = await this.client.callTool({ name: tool, arguments: input }, undefined, options);
    return result['structuredContent'] as CallEnd;
  }

  bash(command: string, more: Record<string, unknown> = {}, signal?: AbortSignal): Promise<CallEnd> {
    return this.call('bash', { command, ...more }, signal);
  }

  kill(signal: NodeJS.Signals): void {
    if (this.transport.pid !== null) process.kill(this.transport.pid, signal);
  }

  /** The client goes away as clients do: it closes the server's stdin. */
  close(): Promise<void> {
    return this.client.close();
  }
}
