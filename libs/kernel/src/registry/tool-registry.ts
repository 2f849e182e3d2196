import {
  type Disposer,
  type EventMap,
  type McpOrigin,
  type RegisteredTool,
  type Tool,
  WrongStackError,
} from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { compileSchema, type SchemaCheck, type SchemaOrigin } from './compile-schema.js';
import { isPlainSchema } from './plain-schema.js';
import type { StreamingTool } from './streaming-tool.js';
import { snapshotTool } from './tool-snapshot.js';
import { assertTightens, withUnitedClaims } from './tool-wrapping.js';
import { originalForWrapper, wrapperLayer } from './wrapped-execution.js';

/** Who may wrap or unregister a tool that somebody else owns. Throws when not. The plugin host supplies the real rule. */
export type MutationGuard = (tool: RegisteredTool, by: string, action: 'wrap' | 'unregister') => void;

export interface ToolRegistryOptions {
  readonly mayMutate?: MutationGuard;
  readonly onChange?: (
    event: 'tool.registered' | 'tool.unregistered',
    payload: EventMap['tool.registered'],
  ) => void;
}

/** One name: the tool as registered, and the wrappers around it, innermost first. */
interface Entry {
  readonly layers: { readonly tool: RegisteredTool; readonly by: string }[];
  check: SchemaCheck | undefined;
}

const CORE = 'core';

/** Without a plugin host only owners and the core may change a tool. */
const ownersOnly: MutationGuard = (tool, by, action) => {
  if (by !== tool.owner && by !== CORE) {
    throw new WrongStackError(
      'tool.not_owner',
      `${by} may not ${action} ${tool.name}: it belongs to ${tool.owner}`,
    );
  }
};

/** The tools that a model may call. What it hands out is frozen. */
export class ToolRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #mayMutate: MutationGuard;
  readonly #onChange: NonNullable<ToolRegistryOptions['onChange']>;

  constructor(options: ToolRegistryOptions = {}) {
    this.#mayMutate = options.mayMutate ?? ownersOnly;
    this.#onChange = options.onChange ?? (() => undefined);
  }

  /** Throws `tool.invalid`, `tool.exists` or `schema.invalid`. The disposer unregisters it, wrappers included. */
  register(tool: Tool | StreamingTool, owner: string = CORE, mcp?: McpOrigin): Disposer {
    const snapshot = snapshotTool(tool, owner, mcp);
    const existing = this.get(snapshot.name);
    if (existing !== undefined) {
      throw new WrongStackError(
        'tool.exists',
        `tool ${snapshot.name} is already registered by ${existing.owner}`,
      );
    }
    // Core schemas (a test compiles them all), and those that are certain to compile, are compiled when they are first
    // used; the others at once, so that a bad one fails here and not at call time.
    const later = owner === CORE || isPlainSchema(snapshot.inputSchema);
    const check = later ? undefined : compileSchema(snapshot.inputSchema, `tool ${snapshot.name}`);
    const entry: Entry = { layers: [{ tool: snapshot, by: owner }], check };
    this.#entries.set(snapshot.name, entry);
    this.#onChange('tool.registered', { name: snapshot.name, owner });
    return once(() => {
      if (this.#entries.get(snapshot.name) === entry) this.#remove(snapshot);
    });
  }

  /** Register many; names that are taken are skipped silently. Returns the names that were registered. */
  registerAll(tools: readonly (Tool | StreamingTool)[], owner: string = CORE): readonly string[] {
    const fresh = tools.filter((tool) => !this.#entries.has(tool.name));
    for (const tool of fresh) if (!this.#entries.has(tool.name)) this.register(tool, owner);
    return fresh.map((tool) => tool.name);
  }

  /** Register all or none: throws on the first conflict and takes back what it had registered. */
  registerAllOrThrow(tools: readonly (Tool | StreamingTool)[], owner: string = CORE): Disposer {
    const disposers: Disposer[] = [];
    const undo = once(() => {
      for (const dispose of disposers.reverse()) dispose();
    });
    try {
      for (const tool of tools) disposers.push(this.register(tool, owner));
    } catch (error) {
      undo();
      throw error;
    }
    return undo;
  }

  /** Decorate a tool. Wrappers stack, each receives what the previous made, and none can loosen. */
  wrap(name: string, wrapper: (original: RegisteredTool) => Tool, by: string = CORE): Disposer {
    const entry = this.#require(name);
    const original = top(entry);
    this.#mayMutate(original, by, 'wrap');
    const given = originalForWrapper(original);
    const made = wrapper(given);
    assertTightens(original, made);
    const wrapped = wrapperLayer(original, given, made);
    const layer = {
      tool: snapshotTool(withUnitedClaims(original, wrapped), original.owner, original.mcp),
      by,
    };
    const check = compileSchema(layer.tool.inputSchema, `tool ${name}`);
    entry.layers.push(layer);
    entry.check = check;
    return once(() => {
      const index = entry.layers.indexOf(layer);
      if (index <= 0) return;
      // Outer wrappers were built around this one, so they go with it: never leave a half-undone stack.
      entry.layers.splice(index);
      entry.check = undefined;
    });
  }

  unregister(name: string, by: string = CORE): void {
    const tool = top(this.#require(name));
    this.#mayMutate(tool, by, 'unregister');
    this.#remove(tool);
  }

  get(name: string): RegisteredTool | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined ? undefined : top(entry);
  }

  list(): readonly RegisteredTool[] {
    return [...this.#entries.values()].map(top);
  }

  /** Faults of an input, one line each; empty when it fits. Throws `tool.unknown`. */
  validate(name: string, input: unknown): readonly string[] {
    const entry = this.#require(name);
    entry.check ??= compileSchema(top(entry).inputSchema, `tool ${name}`, originOf(entry));
    return entry.check(input);
  }

  #require(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new WrongStackError('tool.unknown', `no tool named ${name}`);
    return entry;
  }

  #remove(tool: RegisteredTool): void {
    this.#entries.delete(tool.name);
    this.#onChange('tool.unregistered', { name: tool.name, owner: tool.owner });
  }
}

function top(entry: Entry): RegisteredTool {
  const layer = entry.layers.at(-1);
  if (layer === undefined)
    throw new WrongStackError('internal.unreachable', 'a registry entry without a tool');
  return layer.tool;
}

/** Of core tools that nobody wrapped, the schema is ours and tested; everybody else's is checked against its dialect. */
function originOf({ layers }: Entry): SchemaOrigin {
  return layers.every(({ by }) => by === CORE) ? 'ours' : 'foreign';
}
