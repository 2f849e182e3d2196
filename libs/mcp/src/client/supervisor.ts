import { type Clock, type Disposer, type Logger, messageOf, type MetricsSink } from '@wrongstack/contracts';
import type {
  McpServerConfig,
  McpServerStatus,
  SystemPromptContributor,
  ToolRegistry,
} from '@wrongstack/kernel';
import type { VaultTokens } from '../login/vault-tokens.js';
import { McpError } from '../mcp-error.js';
import type { PinStore } from '../pins/pin-store.js';
import { mapped } from '../tools/tool-names.js';
import { quotedText } from '../tools/untrusted-text.js';
import { connect, type ConnectParts } from './connect.js';
import { type OfferedTool, OfferedTools } from './offered-tools.js';
import { serverOf } from './server-config.js';
import { ServerRunner, type Sleep } from './server-runner.js';

export interface McpSupervisorOptions extends Omit<ConnectParts, 'authProvider'> {
  readonly tools: Pick<ToolRegistry, 'register'>;
  readonly pins: PinStore;
  readonly tokens?: VaultTokens;
  readonly addSystemPromptContributor?: (contributor: SystemPromptContributor, owner: string) => Disposer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Pick<MetricsSink, 'counter'>;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

export interface McpServerDetails extends McpServerStatus {
  readonly offered: readonly OfferedTool[];
  /** The server's own words, whole. */
  readonly instructions: string | null;
}

const MOST_INSTRUCTIONS = 1_000;

/** Every MCP server of one host: those that the person configured, and those that plugins start. */
export class McpSupervisor {
  readonly #runners = new Map<string, ServerRunner>();
  readonly #configured = new Map<string, McpServerConfig>();
  readonly #faults = new Map<string, string>();
  /** What was begun and has not come up or failed yet. */
  readonly #beginning = new Set<{ readonly name: string; readonly ended: Promise<void> }>();
  #closed = false;
  #contributor: Disposer | null = null;

  constructor(private readonly options: McpSupervisorOptions) {}

  /** What may be started by name. Starts nothing. */
  configure(servers: readonly McpServerConfig[]): void {
    for (const server of servers) this.#configured.set(server.name, server);
  }

  /** Begin all enabled ones at once; see `begin`. */
  beginConfigured(): void {
    for (const server of this.#configured.values()) this.begin(server);
  }

  /**
   * Start one without waiting for it: its tools are there when it is. One that does not come up is logged and listed, and
   * `settled` tells of it.
   */
  begin(server: McpServerConfig): void {
    const work = this.start(server).catch((error: unknown) => {
      if (this.#closed) return;
      this.#faults.set(server.name, messageOf(error));
      this.options.log.error(messageOf(error), { server: server.name });
    });
    const begun = { name: server.name, ended: work.finally(() => this.#beginning.delete(begun)) };
    this.#beginning.add(begun);
  }

  /**
   * Resolves when all that was begun is ready or has failed, after so many milliseconds, or with the signal, whichever is
   * first; never rejects. What is still starting is named, and so is what failed, with its message.
   */
  async settled(
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<{ readonly starting: readonly string[]; readonly failed: ReadonlyMap<string, string> }> {
    if (this.#beginning.size > 0 && milliseconds > 0) {
      const enough = new AbortController();
      const late = waitFor(milliseconds, AbortSignal.any([signal, enough.signal])).catch(() => undefined);
      await Promise.race([Promise.all([...this.#beginning].map(({ ended }) => ended)), late]);
      enough.abort();
    }
    return { starting: [...this.#beginning].map(({ name }) => name), failed: new Map(this.#faults) };
  }

  /** Throws an McpError: `mcp.invalid_config`, `mcp.server_exists`, `mcp.start_failed`, … */
  async start(config: McpServerConfig): Promise<void> {
    if (config.enabled === false) return;
    const server = serverOf(config);
    const rival = [...this.#runners.values()].find((one) => mapped(one.server.name) === mapped(server.name));
    if (rival !== undefined) {
      if (rival.status().state !== 'failed' && rival.status().state !== 'stopped') {
        throw new McpError(
          'mcp.server_exists',
          server.name,
          `a server named ${rival.server.name} is there already`,
        );
      }
      await rival.stop();
      this.#runners.delete(rival.server.name);
    }
    const { tools, pins, log, metrics, sleep = waitFor, random = Math.random } = this.options;
    const runner = new ServerRunner({
      server,
      connect: (signal) => connect(server, this.#connectParts(), signal),
      offered: (call) => new OfferedTools({ server, registry: tools, pins, log, call }),
      sleep,
      random,
      log,
      ...(metrics && { metrics }),
    });
    this.#runners.set(server.name, runner);
    this.#faults.delete(server.name);
    await runner.start();
    this.#contributor ??=
      this.options.addSystemPromptContributor?.(() => this.#instructions(), 'mcp') ?? null;
  }

  /** Start one that the configuration names, by name. */
  async startNamed(name: string): Promise<void> {
    const config = this.#configured.get(name);
    if (config === undefined) throw this.#unknown(name);
    await this.start({ ...config, enabled: true });
  }

  async stop(name: string): Promise<void> {
    const runner = this.#require(name);
    await runner.stop();
    this.#runners.delete(name);
  }

  async restart(name: string): Promise<void> {
    const runner = this.#runners.get(name);
    if (runner === undefined) return this.startNamed(name);
    await runner.stop();
    await runner.start();
  }

  list(): readonly McpServerStatus[] {
    const idle = [...this.#configured.keys()].filter((name) => !this.#runners.has(name));
    return [
      ...[...this.#runners.values()].map((runner) => runner.status()),
      ...idle.map((name): McpServerStatus => {
        const message = this.#faults.get(name);
        return {
          name,
          state: message === undefined ? 'stopped' : 'failed',
          tools: 0,
          ...(message && { message }),
        };
      }),
    ];
  }

  /** For people: the full text of everything that servers say. */
  details(): readonly McpServerDetails[] {
    return this.list().map((status) => {
      const runner = this.#runners.get(status.name);
      return {
        ...status,
        offered: runner?.tools.list() ?? [],
        instructions: runner?.instructions ?? null,
      };
    });
  }

  /** Accept the definitions of a server's tools as they are now. */
  pin(name: string): Promise<number> {
    return this.#require(name).tools.pinAll();
  }

  /** Ends all at once; nothing of them is alive afterwards. Never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#contributor?.();
    this.#contributor = null;
    const runners = [...this.#runners.values()].reverse();
    this.#runners.clear();
    await Promise.allSettled(runners.map((runner) => runner.stop()));
  }

  #instructions(): readonly { readonly type: 'text'; readonly text: string }[] {
    const said = [...this.#runners.values()].flatMap(({ server, instructions = '' }) => {
      const text = quotedText(server.name, instructions, MOST_INSTRUCTIONS);
      return text === '' ? [] : [text];
    });
    return said.length === 0 ? [] : [{ type: 'text', text: `## MCP servers\n${said.join('\n')}` }];
  }

  #connectParts(): ConnectParts {
    const { tokens } = this.options;
    return {
      ...this.options,
      ...(tokens && { authProvider: (server) => tokens.providerFor(server) }),
    };
  }

  #require(name: string): ServerRunner {
    const runner = this.#runners.get(name);
    if (runner !== undefined) return runner;
    if (!this.#configured.has(name)) throw this.#unknown(name);
    throw new McpError('mcp.not_running', name, 'is not running');
  }

  #unknown(name: string): McpError {
    const known = [...new Set([...this.#configured.keys(), ...this.#runners.keys()])].join(', ');
    return new McpError('mcp.unknown_server', name, `nobody configured it; known: ${known || 'none'}`, {
      hint: 'servers are named in the mcp section of ~/.wrongstack/config.json',
    });
  }
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(new DOMException('stopped', 'AbortError'));
      else resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
