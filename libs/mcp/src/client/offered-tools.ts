import {
  type Disposer,
  type Logger,
  type McpOrigin,
  messageOf,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import type { RichToolOutput } from '@wrongstack/contracts';
import type { ToolRegistry } from '@wrongstack/kernel';
import { describeChange } from '../pins/describe-change.js';
import type { Pin, PinStore } from '../pins/pin-store.js';
import { definitionDigest, type McpDefinition, type ReadDefinition } from '../tools/mcp-definition.js';
import { mcpToolName } from '../tools/tool-names.js';
import { wrapMCPTool } from '../tools/wrap-mcp-tool.js';
import { type Server, sourceDigest } from './server-config.js';

/** A tool of a server as `mcp list` shows it; texts are the server's own, whole. */
export interface OfferedTool {
  readonly tool: string;
  readonly name: string;
  readonly description: string;
  readonly pinned: boolean;
  /** What is different from what was pinned. */
  readonly changes: readonly string[];
  /** Why the model is not offered it; null when it is. */
  readonly refused: string | null;
}

interface Registered {
  readonly definition: McpDefinition;
  readonly digest: string;
  readonly offered: OfferedTool;
  readonly dispose: Disposer;
}

export interface OfferedToolsParts {
  readonly server: Server;
  readonly registry: Pick<ToolRegistry, 'register'>;
  readonly pins: PinStore;
  readonly log: Logger;
  readonly call: (tool: string, input: unknown, options: ToolOptions) => Promise<RichToolOutput>;
}

/** The tools of one server in the registry: kept in step with what the server says and with what a person accepted. */
export class OfferedTools {
  readonly #registered = new Map<string, Registered>();
  #refused: readonly OfferedTool[] = [];

  constructor(private readonly parts: OfferedToolsParts) {}

  get size(): number {
    return this.#registered.size;
  }

  list(): readonly OfferedTool[] {
    return [...[...this.#registered.values()].map(({ offered }) => offered), ...this.#refused];
  }

  /** Make the registry match. A definition that is the same as before stays as it is, with everything around it. */
  async update(read: readonly ReadDefinition[]): Promise<void> {
    const pins = await this.#pins();
    const refused: OfferedTool[] = [];
    const refuse = (tool: string, reason: string, description = ''): void => {
      refused.push({ tool, name: '', description, pinned: false, changes: [], refused: reason });
      this.parts.log.warn(`MCP server ${this.parts.server.name}: tool ${tool} is not offered: ${reason}`);
    };
    const definitions = read.flatMap((one) => {
      if (one.kind === 'definition') return [one.definition];
      refuse(one.tool, one.reason);
      return [];
    });
    const wanted = new Set(definitions.map(({ name }) => name));
    for (const name of this.#registered.keys()) if (!wanted.has(name)) this.#drop(name);
    const seen = new Map<string, string>();
    for (const definition of definitions) {
      const mapped = mcpToolName(this.parts.server.name, definition.name);
      const first = seen.get(mapped);
      if (first !== undefined) {
        refuse(definition.name, `its name would be ${mapped}, which is ${first}`, definition.description);
        continue;
      }
      seen.set(mapped, definition.name);
      if (this.#registered.get(definition.name)?.digest === definitionDigest(definition)) continue;
      this.#drop(definition.name);
      try {
        this.#register(definition, pins.get(definition.name));
      } catch (error) {
        // A schema that does not compile, or a name that somebody has: this one tool is not offered.
        refuse(definition.name, messageOf(error), definition.description);
      }
    }
    this.#refused = refused;
  }

  /** A tool of our own about this server, under a name that the server has not taken. */
  add(tool: Tool, definition: McpDefinition): void {
    if (this.#registered.has(definition.name)) return;
    const digest = definitionDigest(definition);
    const dispose = this.parts.registry.register(
      tool,
      ownerOf(this.parts.server),
      this.#origin(digest, true),
    );
    const offered = { ...offeredOf(definition, tool.name), pinned: true };
    this.#registered.set(definition.name, { definition, digest, offered, dispose });
  }

  /**
   * Pin a tool that is about to run although it was not pinned: a person, or a policy that names the server, said yes to
   * it. Stored before the call, so that what ran is what was accepted.
   */
  async accepted(tool: string): Promise<void> {
    const known = this.#registered.get(tool);
    if (known === undefined || known.offered.pinned) return;
    await this.#pin([known]);
  }

  /** Accept all definitions as they are now. Returns how many were new or changed. */
  async pinAll(): Promise<number> {
    const open = [...this.#registered.values()].filter(({ offered }) => !offered.pinned);
    await this.#pin(open);
    return open.length;
  }

  dropAll(): void {
    for (const name of [...this.#registered.keys()].reverse()) this.#drop(name);
    this.#refused = [];
  }

  async #pin(tools: readonly Registered[]): Promise<void> {
    const { server, pins } = this.parts;
    if (tools.length === 0) return;
    const definitions = tools.map(({ definition }) => definition);
    await pins.pin(server.name, sourceDigest(server), definitions);
    for (const { definition, digest } of tools) {
      // Changed again meanwhile: that one was not accepted.
      if (this.#registered.get(definition.name)?.digest !== digest) continue;
      this.#drop(definition.name);
      this.#register(definition, { digest, definition, pinnedAt: '' });
    }
  }

  #register(definition: McpDefinition, pin: Pin | undefined): void {
    const { server, registry, call } = this.parts;
    const digest = definitionDigest(definition);
    const pinned = pin?.digest === digest;
    const changes = pin === undefined || pinned ? [] : describeChange(pin.definition, definition);
    const tool = wrapMCPTool(definition, { server: server.name, timeoutMs: server.timeoutMs, changes, call });
    const dispose = registry.register(tool, ownerOf(server), this.#origin(digest, pinned));
    const offered = { ...offeredOf(definition, tool.name), pinned, changes };
    this.#registered.set(definition.name, { definition, digest, offered, dispose });
  }

  #origin(toolDigest: string, pinned: boolean): McpOrigin {
    const { server } = this.parts;
    return {
      server: server.name,
      ...(server.kind === 'http' ? { url: server.url.href } : { commandDigest: sourceDigest(server) }),
      toolDigest,
      pinned,
    };
  }

  #drop(name: string): void {
    this.#registered.get(name)?.dispose();
    this.#registered.delete(name);
  }

  async #pins(): Promise<ReadonlyMap<string, Pin>> {
    const { server, pins, log } = this.parts;
    try {
      return await pins.pinsOf(server.name, sourceDigest(server));
    } catch (error) {
      log.error(messageOf(error));
      return new Map();
    }
  }
}

function offeredOf(definition: McpDefinition, name: string): OfferedTool {
  return {
    tool: definition.name,
    name,
    description: definition.description ?? '',
    pinned: false,
    changes: [],
    refused: null,
  };
}

export function ownerOf(server: Server): string {
  return `mcp:${server.name}`;
}
