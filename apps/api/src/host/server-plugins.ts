import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type ActorFacts,
  type Clock,
  type Logger,
  messageOf,
  MetricsSink,
  type SecretScrubber,
  WrongStackError,
} from '@wrongstack/contracts';
import type { Kernel, MutationGuard } from '@wrongstack/kernel';
import type { PolicyEngine } from '@wrongstack/policy';
import type { PluginHost, PluginRuntime } from '@wrongstack/plugins';
import type { Readiness } from '../health/readiness.js';

export interface ServerPluginsParts {
  readonly kernel: Kernel;
  readonly policy: PolicyEngine;
  readonly agentHome: string;
  readonly home: string;
  readonly projectRoot: string;
  /** Null = nobody asks whether they are well. */
  readonly readiness: Readiness | null;
  readonly log: Logger;
  readonly scrubber: SecretScrubber;
  readonly clock: Clock;
  /** For whom they are, where that is one person; missing = what binds everybody counts. */
  readonly actor?: ActorFacts;
}

/** Of this process: the server's own, and those of each run that is under way. */
const loaded = new Map<PluginRuntime, Logger>();

/** Put an error that nobody caught down to the plugins whose code threw it. False = it was none of theirs. */
export function blamePlugins(error: unknown): boolean {
  for (const [runtime, log] of loaded) {
    const owners = runtime.ownersOf(error);
    if (owners.length === 0) continue;
    for (const owner of owners) runtime.fault(owner, 'plugin.stray_error', error);
    log.error(`plugin ${owners.join(' or ')}: ${messageOf(error)}`, {
      plugin: owners.join(','),
      code: 'plugin.stray_error',
    });
    return true;
  }
  return false;
}

/**
 * Plugins of a server: those of its own home, none of the project's, since nobody is there to trust them. One that fails is
 * in the log and stops nothing; one that is unwell, or that a policy requires and that is not there, makes the server not ready.
 */
export class ServerPlugins {
  #runtime: PluginRuntime | null = null;
  #guard: MutationGuard | null = null;

  /** The kernel is made before there are plugins; until then nobody may change a tool that is not theirs. */
  readonly mayMutate: MutationGuard = (tool, by, action) => {
    if (this.#guard !== null) return this.#guard(tool, by, action);
    if (by === tool.owner || by === 'core') return;
    throw new WrongStackError(
      'tool.not_owner',
      `${by} may not ${action} ${tool.name}: it belongs to ${tool.owner}`,
    );
  };

  readonly digestOf = (owner: string): string | undefined => this.#runtime?.digestOf(owner);

  /** Costs one look at the disk where there are none and none are required. */
  async load(parts: ServerPluginsParts): Promise<void> {
    const { agentHome, policy, projectRoot, readiness, actor } = parts;
    const required = (await policy.locks(projectRoot, actor)).plugins.require;
    if (required.length === 0 && !existsSync(path.join(agentHome, 'plugins'))) return;
    const { createMutationGuard, FaultJournal, PluginRuntime, ProjectPluginTrust } =
      await import('@wrongstack/plugins');
    let { mutation } = (await policy.locks(projectRoot, actor)).plugins;
    const runtime = new PluginRuntime({
      host: pluginHost(parts),
      places: () => ({ agentHome, home: parts.home, projectRoot: null, config: parts.kernel.config.current }),
      rules: async () => {
        const { plugins } = await policy.locks(projectRoot, actor);
        mutation = plugins.mutation;
        return plugins;
      },
      trust: new ProjectPluginTrust(agentHome, projectRoot, parts.clock),
      hostModules: {
        '@wrongstack/core': () => import('@wrongstack/core'),
        '@wrongstack/providers': () => import('@wrongstack/providers'),
        '@wrongstack/plugins': () => import('@wrongstack/plugins'),
      },
      // Where `wstack plugin list` finds it that is run by the same home.
      journal: new FaultJournal({
        folder: path.join(agentHome, 'plugin-faults'),
        clock: parts.clock,
        scrub: (text) => parts.scrubber.scrub(text),
      }),
    });
    this.#guard = createMutationGuard(
      (plugin) => runtime.authorityOf(plugin),
      () => mutation,
    );
    this.#runtime = runtime;
    loaded.set(runtime, parts.log);
    await runtime.load();
    readiness?.add('plugins', async () => {
      const unwell = (await runtime.health()).flatMap(({ name, ok, message = 'it does not say why' }) =>
        ok ? [] : [`${name} is unwell: ${message}`],
      );
      const missing = runtime.missingRequired().map((name) => `${name} is required and not loaded`);
      if (unwell.length + missing.length > 0) throw new Error([...unwell, ...missing].join('; '));
    });
  }

  /** What policies require and is not loaded. */
  async missingRequired({ policy, projectRoot, actor }: ServerPluginsParts): Promise<string[]> {
    const { require } = (await policy.locks(projectRoot, actor)).plugins;
    return require.filter((name) => this.#runtime?.digestOf(name) === undefined);
  }

  /** Torn down, the last one first. Never rejects. */
  async close(): Promise<void> {
    const runtime = this.#runtime;
    if (runtime === null) return;
    await runtime.close();
    loaded.delete(runtime);
  }
}

function pluginHost({ kernel, log, clock }: ServerPluginsParts): PluginHost {
  const noServers = async (): Promise<never> => {
    throw new WrongStackError('plugin.no_mcp', 'this server starts no MCP servers; wstack does');
  };
  const { container, pipelines, events, tools, providers, slashCommands, lifecycle, config } = kernel;
  return {
    ...{ container, pipelines, events, tools, providers, slashCommands, lifecycle, config },
    log,
    metrics: container.resolve(MetricsSink),
    clock,
    mcp: { start: noServers, stop: noServers, restart: noServers, list: () => [] },
    // A server's calls belong to no session of its own.
    appendToSession: async () => undefined,
    addSystemPromptContributor: (contributor, owner) =>
      kernel.systemPrompt.addContributor(contributor, owner),
  };
}
