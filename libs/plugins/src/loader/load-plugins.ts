import { KERNEL_API_VERSION, messageOf } from '@wrongstack/contracts';
import { DisposalScope, type Plugin, type PluginAPI, withDeadline } from '@wrongstack/kernel';
import { satisfies, validRange } from 'semver';
import { type CapabilityGuard, createCapabilityGuard } from '../api/capability-guard.js';
import { createPluginApi } from '../api/create-plugin-api.js';
import type { PluginHost } from '../api/plugin-host.js';
import { declaredSurfaces } from './declared-surfaces.js';
import type { LoadedPlugins, PluginStatus } from './loaded-plugin.js';
import { orderPlugins } from './order-plugins.js';
import { PluginError } from './plugin-error.js';

export interface LoadPluginsOptions {
  readonly host: PluginHost;
  /** Throw instead of warn when a plugin uses a surface that it did not declare. */
  readonly enforceCapabilities?: boolean;
  /** Milliseconds; 30,000 by default. */
  readonly setupTimeoutMs?: number;
  /** Milliseconds; 10,000 by default. */
  readonly teardownTimeoutMs?: number;
}

interface Live {
  readonly plugin: Plugin;
  readonly guard: CapabilityGuard;
  readonly scope: DisposalScope;
  readonly api: PluginAPI;
}

const NEVER = new AbortController().signal;

/**
 * Order, check and set up plugins. One that fails is rolled back and reported in `list()`; it stops neither the others
 * nor the host. Never rejects.
 */
export async function loadPlugins(
  plugins: readonly Plugin[],
  options: LoadPluginsOptions,
): Promise<LoadedPlugins> {
  const { host, teardownTimeoutMs = 10_000 } = options;
  const live = new Map<string, Live>();
  const statuses = new Map<Plugin, PluginStatus>();
  const { ordered, rejected } = orderPlugins(plugins);
  for (const { plugin, error } of rejected) statuses.set(plugin, failed(plugin, error));
  for (const plugin of ordered) {
    const missing = unmet(plugin, live);
    const outcome = missing ?? (await setUp(plugin, options));
    if (outcome instanceof PluginError) {
      host.log.error(outcome.message, { plugin: plugin.name, code: outcome.code });
      statuses.set(plugin, failed(plugin, outcome));
    } else {
      live.set(plugin.name, outcome);
      statuses.set(plugin, statusOf(plugin, 'loaded', outcome.guard));
    }
  }

  const unload = async (name: string): Promise<boolean> => {
    const one = live.get(name);
    if (one === undefined) return false;
    live.delete(name);
    await tearDown(one, host, teardownTimeoutMs);
    statuses.set(one.plugin, statusOf(one.plugin, 'unloaded', one.guard));
    return true;
  };
  return {
    // What a plugin uses may grow after its setup, so it is read when it is asked for.
    list: () =>
      plugins.flatMap((plugin) => {
        const status = statuses.get(plugin);
        const used = live.get(plugin.name)?.guard.used();
        return status === undefined ? [] : [used === undefined ? status : { ...status, used }];
      }),
    health: () => Promise.all([...live.values()].map(({ plugin }) => healthOf(plugin))),
    unload,
    async unloadAll() {
      for (const name of [...live.keys()].reverse()) await unload(name);
    },
  };
}

async function setUp(plugin: Plugin, options: LoadPluginsOptions): Promise<Live | PluginError> {
  const { host, setupTimeoutMs = 30_000 } = options;
  const warn = (message: string): void =>
    host.log.warn(`plugin ${plugin.name} ${message}`, { plugin: plugin.name });
  const scope = new DisposalScope((error) => warn(`left something behind: ${messageOf(error)}`));
  try {
    checkManifest(plugin);
    const guard = createCapabilityGuard(
      plugin.name,
      plugin.capabilities,
      options.enforceCapabilities === true,
      warn,
    );
    const api = createPluginApi(plugin, host, guard, scope);
    await withDeadline(`setup of ${plugin.name}`, setupTimeoutMs, NEVER, (signal) =>
      plugin.setup(api, { signal }),
    );
    return { plugin, guard, scope, api };
  } catch (error) {
    scope.dispose();
    return asPluginError(plugin, error);
  }
}

// The manifest is whatever a module exported: its fields are checked as if nothing were known about them.
function checkManifest(plugin: Plugin): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(plugin.name)) {
    throw new PluginError(
      'plugin.invalid',
      plugin.name,
      'name must be lower-case letters, digits, dots or dashes',
    );
  }
  if (typeof plugin.setup !== 'function')
    throw new PluginError('plugin.invalid', plugin.name, 'setup must be a function');
  const range = plugin.apiVersion;
  if (range === undefined) return;
  if (validRange(range) === null || !satisfies(KERNEL_API_VERSION, range)) {
    throw new PluginError(
      'plugin.api_version',
      plugin.name,
      `wants API ${range}, this host offers ${KERNEL_API_VERSION}`,
      {
        hint: 'change apiVersion, or install a version of the plugin for this host',
      },
    );
  }
}

/** A dependency that was in order but failed in its own setup. */
function unmet(plugin: Plugin, live: ReadonlyMap<string, Live>): PluginError | undefined {
  const names = (plugin.dependsOn ?? []).map((one) => (typeof one === 'string' ? one : one.name));
  const missing = names.find((name) => !live.has(name));
  if (missing === undefined) return undefined;
  return new PluginError('plugin.dependency_failed', plugin.name, `needs ${missing}, which did not load`);
}

async function tearDown({ plugin, api, scope }: Live, host: PluginHost, timeoutMs: number): Promise<void> {
  try {
    await withDeadline(`teardown of ${plugin.name}`, timeoutMs, NEVER, () => plugin.teardown?.(api));
  } catch (error) {
    host.log.error(`plugin ${plugin.name}: teardown failed: ${messageOf(error)}`, { plugin: plugin.name });
  }
  scope.dispose();
}

async function healthOf(plugin: Plugin): Promise<{ name: string; ok: boolean; message?: string }> {
  try {
    const health = await withDeadline(
      `health of ${plugin.name}`,
      5_000,
      NEVER,
      () => plugin.health?.() ?? { ok: true },
    );
    return { name: plugin.name, ...health };
  } catch (error) {
    return { name: plugin.name, ok: false, message: messageOf(error) };
  }
}

function asPluginError(plugin: Plugin, error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  const timedOut = error instanceof Error && 'code' in error && error.code === 'hook.timeout';
  const code = timedOut ? 'plugin.setup_timeout' : 'plugin.setup_failed';
  return new PluginError(code, plugin.name, `setup failed: ${messageOf(error)}`, { cause: error });
}

function failed(plugin: Plugin, error: PluginError): PluginStatus {
  return { ...statusOf(plugin, 'failed', undefined), error: { code: error.code, message: error.message } };
}

function statusOf(
  plugin: Plugin,
  state: PluginStatus['state'],
  guard: CapabilityGuard | undefined,
): PluginStatus {
  return {
    name: plugin.name,
    version: plugin.version ?? null,
    description: plugin.description ?? null,
    state,
    declared: declaredSurfaces(plugin.capabilities),
    used: guard?.used() ?? [],
    error: null,
  };
}
