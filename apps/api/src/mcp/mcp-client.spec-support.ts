import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { TestApi } from '../test-api.spec-support.js';

export type Answers = (request: ElicitRequest) => ElicitResult | Promise<ElicitResult>;

/** Real clients of the protocol at an API that listens on a port. */
export class McpClients {
  readonly #open: Client[] = [];

  private constructor(
    readonly url: URL,
    private readonly api: TestApi,
  ) {}

  static async of(api: TestApi): Promise<McpClients> {
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    return new McpClients(new URL(`http://127.0.0.1:${String(port)}/mcp`), api);
  }

  /** `answer`: what its person says; without it there is nobody to ask. */
  async connect(token: string, answer?: Answers): Promise<Client> {
    const capabilities = answer === undefined ? {} : { elicitation: {} };
    const client = new Client({ name: 'nightly', version: '1' }, { capabilities });
    if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(this.url, { requestInit: { headers } }));
    this.#open.push(client);
    return client;
  }

  /** As any program may speak to it. */
  post(token: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
    const given = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    return fetch(this.url, { method: 'POST', headers: { ...given, ...headers }, body });
  }

  async close(): Promise<void> {
    for (const client of this.#open.splice(0)) await client.close();
  }

  /** With the API. A spare connection that a client keeps would hold it up for seconds. */
  async stop(): Promise<void> {
    await this.close();
    this.api.app.getHttpServer().closeAllConnections();
    await this.api.stop();
  }
}

export function sessionOf(client: Client): string {
  return (client.transport as StreamableHTTPClientTransport).sessionId ?? '';
}
