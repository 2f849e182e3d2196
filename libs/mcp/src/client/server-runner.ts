import {
  codeOf,
  type Logger,
  messageOf,
  type MetricsSink,
  type RichToolOutput,
  type ToolOptions,
} from '@wrongstack/contracts';
import type { McpServerStatus } from '@wrongstack/kernel';
import { McpError } from '../mcp-error.js';
import { readDefinition, type ReadDefinition } from '../tools/mcp-definition.js';
import { contentTools } from '../tools/content-tools.js';
import { toOutput } from '../tools/to-content.js';
import type { Connection } from './connect.js';
import type { OfferedTools } from './offered-tools.js';
import type { Server } from './server-config.js';

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface RunnerParts {
  readonly server: Server;
  readonly connect: (signal: AbortSignal) => Promise<Connection>;
  readonly offered: (call: RunnerCall) => OfferedTools;
  readonly sleep: Sleep;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  readonly log: Logger;
  readonly metrics?: Pick<MetricsSink, 'counter'>;
}

type RunnerCall = (tool: string, input: unknown, options: ToolOptions) => Promise<RichToolOutput>;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const MOST_ATTEMPTS = 8;
const MOST_PAGES = 50;

/** One server from its start to its end: connection, tools, and what happens when it goes away. */
export class ServerRunner {
  #state: McpServerStatus['state'] = 'stopped';
  #message: string | undefined;
  #connection: Connection | null = null;
  #stopping = new AbortController();
  #refreshing: Promise<void> = Promise.resolve();
  #refreshWaits = false;
  /** Settles when nothing is being opened. */
  #opening: Promise<unknown> = Promise.resolve();
  readonly tools: OfferedTools;

  constructor(private readonly parts: RunnerParts) {
    this.tools = parts.offered((tool, input, options) => this.call(tool, input, options));
  }

  get server(): Server {
    return this.parts.server;
  }

  get instructions(): string | undefined {
    return this.#connection?.instructions;
  }

  status(): McpServerStatus {
    return {
      name: this.server.name,
      state: this.#state,
      tools: this.tools.size,
      ...(this.#message !== undefined && { message: this.#message }),
    };
  }

  /** Throws an McpError when it does not come up; nothing of it is left then. */
  async start(): Promise<void> {
    this.#stopping = new AbortController();
    this.#state = 'starting';
    this.#message = undefined;
    try {
      await this.#open();
      this.#count('starts', 'ready');
    } catch (error) {
      this.#count('starts', 'failed');
      await this.#fail(error);
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.tools.dropAll();
    const connection = this.#connection;
    this.#connection = null;
    this.#state = 'stopped';
    this.#message = undefined;
    await connection?.close();
    await this.#opening;
  }

  /** One call, made once: a slow server is no dead one, and a dead one may have done it. */
  async call(tool: string, input: unknown, { signal }: ToolOptions): Promise<RichToolOutput> {
    await this.tools.accepted(tool);
    const answer = await this.request('tools/call', { name: tool, arguments: input }, signal);
    const { content = [] } = answer;
    if (!Array.isArray(content))
      throw new McpError('mcp.bad_answer', this.server.name, 'the content of its answer is no list');
    return toOutput(answer);
  }

  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const connection = this.#connection;
    if (connection === null) {
      throw new McpError('mcp.not_running', this.server.name, `is ${this.#state}`, {
        hint: 'mcp_control can restart it',
      });
    }
    try {
      return await connection.request(method, params, { signal, timeoutMs: this.server.timeoutMs });
    } catch (error) {
      // A process that ended says so itself; a remote server that forgot us does not.
      if (codeOf(error) === 'mcp.closed') this.#lost(connection);
      throw error;
    }
  }

  #open(): Promise<void> {
    const { signal } = this.#stopping;
    const opened = this.#connect(signal);
    this.#opening = opened.catch(() => undefined);
    return opened;
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const connection = await this.parts.connect(signal);
    if (signal.aborted) {
      await connection.close();
      throw new McpError('mcp.closed', this.server.name, 'was stopped while it started');
    }
    this.#connection = connection;
    connection.onClose(() => this.#lost(connection));
    connection.onToolsChanged(() => this.#refreshSoon(connection));
    await this.#refresh(connection);
    this.#state = 'ready';
    this.#message = undefined;
  }

  /** However often it announces a change: one list is read at a time, and one more stands for all that came meanwhile. */
  #refreshSoon(connection: Connection): void {
    if (this.#refreshWaits) return;
    this.#refreshWaits = true;
    this.#refreshing = this.#refreshing
      .then(() => {
        this.#refreshWaits = false;
        return this.#refresh(connection);
      })
      .catch((error: unknown) => {
        this.parts.log.warn(`MCP server ${this.server.name}: its tools cannot be read: ${messageOf(error)}`);
      });
  }

  async #refresh(connection: Connection): Promise<void> {
    if (this.#connection !== connection) return;
    const read = connection.offers('tools') ? await this.#listTools(connection) : [];
    if (this.#connection !== connection) return;
    await this.tools.update(read);
    for (const { tool, definition } of contentTools(this.server, connection, (...args) =>
      this.request(...args),
    )) {
      try {
        this.tools.add(tool, definition);
      } catch (error) {
        this.parts.log.debug(`MCP server ${this.server.name}: ${messageOf(error)}`);
      }
    }
  }

  async #listTools(connection: Connection): Promise<readonly ReadDefinition[]> {
    const read: ReadDefinition[] = [];
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await connection.request('tools/list', cursor === undefined ? {} : { cursor }, {
        // Closing the connection ends it; a signal that lives on would collect a listener for each list.
        signal: new AbortController().signal,
        timeoutMs: this.server.startTimeoutMs,
      });
      if (!Array.isArray(answer['tools'])) {
        throw new McpError('mcp.bad_answer', this.server.name, 'its list of tools is no list');
      }
      read.push(...answer['tools'].map(readDefinition));
      cursor = answer['nextCursor'];
      if (cursor === undefined) return read;
    }
    throw new McpError('mcp.bad_answer', this.server.name, 'its list of tools does not end');
  }

  #lost(connection: Connection): void {
    // While it starts or reconnects, whoever opens it notices by themselves.
    if (this.#connection !== connection || this.#state !== 'ready') return;
    const broken = connection.broken();
    if (broken !== null) {
      this.parts.log.error(broken.message);
      this.#count('reconnects', 'given_up');
      void this.#fail(broken);
      return;
    }
    this.#connection = null;
    void connection.close();
    void this.#reconnect();
  }

  /** Its tools stay known meanwhile and say that it is reconnecting; they go when it is given up. */
  async #reconnect(): Promise<void> {
    const { signal } = this.#stopping;
    this.#state = 'reconnecting';
    this.parts.log.warn(`MCP server ${this.server.name} went away; reconnecting`);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
      try {
        await this.parts.sleep(wait * (0.5 + this.parts.random() / 2), signal);
        await this.#open();
        this.#count('reconnects', 'ready');
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#message = messageOf(error);
        const half = this.#connection;
        this.#connection = null;
        await half?.close();
      }
    }
    this.#count('reconnects', 'given_up');
    await this.#fail(new McpError('mcp.closed', this.server.name, this.#message ?? 'went away'));
  }

  #count(what: 'starts' | 'reconnects', outcome: string): void {
    this.parts.metrics?.counter(`wrongstack_mcp_${what}_total`, 1, { outcome });
  }

  async #fail(error: unknown): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    if (this.#stopping.signal.aborted) return;
    this.#state = 'failed';
    this.#message = messageOf(error);
    this.tools.dropAll();
    await connection?.close();
  }
}
