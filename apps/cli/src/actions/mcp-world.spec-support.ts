import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { JsonlSessionStore } from '@wrongstack/adapters';
import { GovernedOffer, type HttpService, serveHttp } from '@wrongstack/mcp/server';
import { EditorSandbox, type EditorWorld } from '../acp/acp-editor.spec-support.js';
import { boot } from '../app/boot.js';
import { bootRequest } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { openMcpSession } from './mcp-serve-session.js';

export const INFO = { name: 'wstack', title: 'WrongStack', version: '0.0.0' };
export const TOKEN = 'test-token';

export type Answers = (request: ElicitRequest) => ElicitResult | Promise<ElicitResult>;

/** A home and a project on disk, served as `wstack mcp serve --http` does. */
export class McpWorld {
  readonly #clients: Client[] = [];

  private constructor(
    readonly sandbox: EditorSandbox,
    readonly host: Host,
    readonly service: HttpService,
  ) {}

  static async start(world: EditorWorld = {}): Promise<McpWorld> {
    const sandbox = await EditorSandbox.create(world);
    const host = await boot(bootRequest({ cwd: sandbox.project }, false, sandbox.environment()));
    const offer = (): Promise<GovernedOffer> => offerOf(host, sandbox);
    const service = await serveHttp({ ...INFO, port: 0, token: TOKEN, offer });
    return new McpWorld(sandbox, host, service);
  }

  offer(): Promise<GovernedOffer> {
    return offerOf(this.host, this.sandbox);
  }

  /** A real client over real HTTP; with `answer` it can ask its person. */
  async connect(answer?: Answers, name = 'other-agent'): Promise<Client> {
    const capabilities = answer === undefined ? {} : { elicitation: {} };
    const client = new Client({ name, version: '1' }, { capabilities });
    if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const url = new URL(this.service.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    this.#clients.push(client);
    return client;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.splice(0)) await client.close();
    await this.service.close();
    await this.host.close();
    await this.sandbox.remove();
  }
}

async function offerOf(host: Host, sandbox: EditorSandbox): Promise<GovernedOffer> {
  const store = new JsonlSessionStore(path.join(sandbox.home, '.wrongstack', 'sessions', 'mcp'));
  return new GovernedOffer(await openMcpSession(host, store));
}
