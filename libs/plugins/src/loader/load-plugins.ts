import { codeOf, KERNEL_API_VERSION, messageOf, WrongStackError } from '@wrongstack/contracts';
import { DisposalScope, type Plugin, type PluginAPI, withinDeadline } from '@wrongstack/kernel';
import { satisfies, validRange } from 'semver';
import { type CapabilityGuard, createCapabilityGuard } from '../api/capability-guard.js';
import { createPluginApi } from '../api/create-plugin-api.js';
import { FaultRecord } from '../api/fault-record.js';
import { OwnedServers } from '../api/owned-servers.js';
import type { PluginHost } from '../api/plugin-host.js';
import { deadlineOf, SETUP_MS, TEARDOWN_MS } from './deadline.js';
import { declaredSurfaces } from './declared-surfaces.js';
import type { LoadedPlugins, PluginStatus } from './loaded-plugin.js';
import { orderPlugins } from './order-plugins.js';
import { PluginError, type PluginErrorCode } from './plugin-error.js';
import { readPlugin } from './read-plugin.js';
import { SetupSignal } from './setup-signal.js';
import { refuseChangedGlobals, rememberGlobals, restoreGlobals } from './shared-globals.js';

export interface LoadPluginsOptions {
  readonly host: PluginHost;
  /** Throw instead of warn when a plugin uses a surface that it did not declare. */
  readonly enforceCapabilities?: boolean;
  /** Whole milliseconds; 30,000 by default. */
  readonly setupTimeoutMs?: number;
  /** Whole milliseconds; 10,000 by default. */
  readonly teardownTimeoutMs?: number;
  /** Told of each fault of a plugin that is loaded, as it is put down. */
  readonly onFault?: (plugin: string, code: PluginErrorCode, message: string) => void;
}

interface Live {
  readonly plugin: Plugin;
  readonly guard: CapabilityGuard;
  readonly scope: DisposalScope;
  readonly servers: OwnedServers;
  readonly faults: FaultRecord;
  readonly api: PluginAPI;
}

/** Shorter than what asks for it may wait: it shall be told whose health it is that hangs. */
const HEALTH_MS = 2_500;
const MOST_HEALTH_TEXT = 500;

/**
 * Order, check and set up plugins. One that fails is rolled back and reported in `list()`; it stops neither the others
 * nor the host. Rejects for a deadline that is none (`plugin.invalid_deadline`), never for a plugin.
 */
export async function loadPlugins(
  given: readonly Plugin[],
  options: LoadPluginsOptions,
): Promise<LoadedPlugins> {
  const { host } = options;
  const setupTimeoutMs = deadlineOf('setupTimeoutMs', options.setupTimeoutMs, SETUP_MS);
  const teardownTimeoutMs = deadlineOf('teardownTimeoutMs', options.teardownTimeoutMs, TEARDOWN_MS);
  rememberGlobals();
  const live = new Map<string, Live>();
  /** Of those that are not loaded, or no longer. */
  const statuses = new Map<Plugin, PluginStatus>();
  const read = given.map(tryToRead);
  const plugins = read.map(({ plugin }) => plugin);
  for (const { plugin, error } of read) {
    if (error === null) continue;
    host.log.error(error.message, { plugin: plugin.name, code: error.code });
    statuses.set(plugin, failed(plugin, error));
  }
  const { ordered, rejected } = orderPlugins(plugins.filter((plugin) => !statuses.has(plugin)));
  for (const { plugin, error } of rejected) statuses.set(plugin, failed(plugin, error));
  for (const plugin of ordered) {
    const missing = unmet(plugin, live);
    const outcome = missing ?? (await setUp(plugin, options, setupTimeoutMs));
    if (outcome instanceof WrongStackError) {
      host.log.error(outcome.message, { plugin: plugin.name, code: outcome.code });
      statuses.set(plugin, failed(plugin, outcome));
    } else {
      live.set(plugin.name, outcome);
    }
  }

  const unload = async (name: string): Promise<boolean> => {
    const one = live.get(name);
    if (one === undefined) return false;
    live.delete(name);
    await tearDown(one, host, teardownTimeoutMs);
    statuses.set(one.plugin, statusOf(one.plugin, 'unloaded', one));
    return true;
  };
  return {
    // What a plugin uses may grow after its setup, so it is read when it is asked for.
    list: () =>
      plugins.flatMap((plugin) => {
        const one = live.get(plugin.name);
        const status = one?.plugin === plugin ? statusOf(plugin, 'loaded', one) : statuses.get(plugin);
        return status === undefined ? [] : [status];
      }),
    health: () => Promise.all([...live.values()].map(({ plugin }) => healthOf(plugin))),
    fault: (name, code, thrown) => live.get(name)?.faults.add(code, thrown),
    unload,
    async unloadAll() {
      for (const name of [...live.keys()].reverse()) await unload(name);
    },
  };
}

/** One that cannot be read keeps its line in the list, and nothing else. */
function tryToRead(given: Plugin): { readonly plugin: Plugin; readonly error: PluginError | null } {
  try {
    return { plugin: readPlugin(given), error: null };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { plugin: { name: error.plugin, setup: () => undefined }, error };
  }
}

async function setUp(
  plugin: Plugin,
  options: LoadPluginsOptions,
  setupTimeoutMs: number,
): Promise<Live | WrongStackError> {
  const { host, onFault } = options;
  const warn = (message: string): void =>
    host.log.warn(`plugin ${plugin.name} ${message}`, { plugin: plugin.name });
  const scope = new DisposalScope((error) => warn(`left something behind: ${messageOf(error)}`));
  const faults = new FaultRecord((code, message) => onFault?.(plugin.name, code, message));
  // Our registries can take it, so it counts; but a model, a command or a prompt that began before does not know of it.
  const late = (surface: string): void =>
    faults.add('plugin.late_registration', new Error(`registers ${surface} after its setup; do it in setup`));
  const strict = options.enforceCapabilities === true;
  const guard = createCapabilityGuard(plugin.name, plugin.capabilities, strict, warn, late);
  const servers = new OwnedServers(plugin.name, host.mcp, guard, warn);
  const signal = new SetupSignal();
  try {
    checkManifest(plugin);
    const api = createPluginApi(plugin, { host, guard, scope, servers, faults });
    await withinDeadline(`setup of ${plugin.name}`, setupTimeoutMs, () => {
      const result = plugin.setup(api, signal.options);
      // At once: waiting is done with what it may have replaced.
      refuseChangedGlobals(plugin.name);
      return result;
    });
    refuseChangedGlobals(plugin.name);
    guard.settle();
    return { plugin, guard, scope, servers, faults, api };
  } catch (error) {
    restoreGlobals();
    signal.abort(error);
    scope.dispose();
    await servers.stopAll();
    return asPluginError(plugin, error);
  }
}

/** Owners that the host itself registers as: what has such an owner is trusted, or changed, as the host's own. */
const RESERVED = new Set(['core', 'mcp', 'wrongstack', 'wstack']);

// The manifest is whatever a module exported: its fields are checked as if nothing were known about them.
function checkManifest(plugin: Plugin): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(plugin.name)) {
    throw new PluginError(
      'plugin.invalid',
      plugin.name,
      'name must be lower-case letters, digits, dots or dashes',
    );
  }
  if (RESERVED.has(plugin.name))
    throw new PluginError('plugin.invalid', plugin.name, "name is the host's own: choose another");
  if (typeof plugin.setup !== 'function')
    throw new PluginError('plugin.invalid', plugin.name, 'setup must be a function');
  const range = plugin.apiVersion;
  if (range !== undefined && !fitsKernel(range)) {
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

const fitting = new Map<string, boolean>();

/** Nearly every plugin writes the same range. */
function fitsKernel(range: string): boolean {
  const known = fitting.get(range);
  if (known !== undefined) return known;
  const fits = validRange(range) !== null && satisfies(KERNEL_API_VERSION, range);
  fitting.set(range, fits);
  return fits;
}

/** A dependency that was in order but failed in its own setup. */
function unmet(plugin: Plugin, live: ReadonlyMap<string, Live>): PluginError | undefined {
  const names = (plugin.dependsOn ?? []).map((one) => (typeof one === 'string' ? one : one.name));
  const missing = names.find((name) => !live.has(name));
  if (missing === undefined) return undefined;
  return new PluginError('plugin.dependency_failed', plugin.name, `needs ${missing}, which did not load`);
}

async function tearDown(live: Live, host: PluginHost, timeoutMs: number): Promise<void> {
  const { plugin, api, scope, servers, faults } = live;
  try {
    await withinDeadline(`teardown of ${plugin.name}`, timeoutMs, () => plugin.teardown?.(api));
  } catch (error) {
    faults.add(
      codeOf(error) === 'hook.timeout' ? 'plugin.teardown_timeout' : 'plugin.teardown_failed',
      error,
    );
    host.log.error(`plugin ${plugin.name}: teardown failed: ${messageOf(error)}`, { plugin: plugin.name });
  }
  scope.dispose();
  await servers.stopAll();
}

async function healthOf(plugin: Plugin): Promise<{ name: string; ok: boolean; message?: string }> {
  try {
    const health = await withinDeadline(`health of ${plugin.name}`, HEALTH_MS, () =>
      plugin.health === undefined ? { ok: true } : plugin.health(),
    );
    return readHealth(plugin.name, health);
  } catch (error) {
    return { name: plugin.name, ok: false, message: messageOf(error) };
  }
}

/** An author's answer may be anything; one that is none is not taken for good health. */
function readHealth(name: string, answer: unknown): { name: string; ok: boolean; message?: string } {
  const { ok, message } = (answer ?? {}) as { readonly ok?: unknown; readonly message?: unknown };
  if (typeof ok !== 'boolean') return { name, ok: false, message: 'health() did not answer { ok, message }' };
  return { name, ok, ...(typeof message === 'string' && { message: message.slice(0, MOST_HEALTH_TEXT) }) };
}

/** What one of our own refusals says keeps its code; everything else is a setup that failed. */
function asPluginError(plugin: Plugin, error: unknown): WrongStackError {
  if (error instanceof PluginError) return error;
  const { name } = plugin;
  if (codeOf(error) === 'hook.timeout') {
    return new PluginError('plugin.setup_timeout', name, `setup failed: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const fault = `setup failed: ${messageOf(error)}`;
  if (!(error instanceof WrongStackError))
    return new PluginError('plugin.setup_failed', name, fault, { cause: error });
  return new PluginError(error.code as PluginErrorCode, name, fault, {
    cause: error,
    hint: error.hint,
    path: error.path,
  });
}

function failed(plugin: Plugin, error: WrongStackError): PluginStatus {
  return { ...statusOf(plugin, 'failed', undefined), error: { code: error.code, message: error.message } };
}

function statusOf(plugin: Plugin, state: PluginStatus['state'], live: Live | undefined): PluginStatus {
  return {
    name: plugin.name,
    version: plugin.version ?? null,
    description: plugin.description ?? null,
    state,
    declared: declaredSurfaces(plugin.capabilities),
    used: live?.guard.used() ?? [],
    faults: live?.faults.list() ?? [],
    error: null,
  };
}
