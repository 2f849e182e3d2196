import { messageOf } from '@wrongstack/contracts';
import type { Disposer } from '@wrongstack/contracts';
import type { Plugin, PluginHealth } from '@wrongstack/kernel';
import type { PluginHost } from '../api/plugin-host.js';
import {
  admitPlugins,
  type AdmittedPlugin,
  type PluginRules,
  type ProjectAnswers,
} from '../discovery/admit-plugins.js';
import { findPlugins, type PluginPlaces } from '../discovery/find-plugins.js';
import { folderDigest, pluginFiles } from '../discovery/folder-digest.js';
import type { HostModules } from '../discovery/host-modules.js';
import { importPlugin } from '../discovery/import-plugin.js';
import type { FaultyPlugin, FoundPlugin } from '../discovery/plugin-source.js';
import type { ProjectPluginTrust } from '../discovery/project-trust.js';
import { loadPlugins } from '../loader/load-plugins.js';
import type { LoadedPlugins } from '../loader/loaded-plugin.js';
import { PluginError, type PluginErrorCode } from '../loader/plugin-error.js';
import type { MutationAuthority } from '../mutation/plugin-mutation-guard.js';
import type { EarlierFault, FaultJournal } from './fault-journal.js';
import { type PluginReport, report, withHint } from './plugin-report.js';
import { filesIn, isBelow } from './stack-files.js';

export interface PluginRuntimeOptions {
  readonly host: PluginHost;
  /** Asked for each load, since the configuration may have changed. */
  readonly places: () => PluginPlaces;
  readonly rules: () => Promise<PluginRules & { readonly enforceCapabilities: boolean }>;
  readonly trust: ProjectPluginTrust;
  readonly hostModules: HostModules;
  /** Where faults are kept for other processes to show; without it they are not. */
  readonly journal?: FaultJournal;
  readonly setupTimeoutMs?: number;
  readonly teardownTimeoutMs?: number;
  readonly importModule?: (url: string) => Promise<unknown>;
}

/** A plugin of this project that nobody was asked about. None of its code has run. */
export interface UntrustedPlugin {
  readonly name: string;
  readonly root: string;
  readonly digest: string;
}

interface Imported {
  readonly source: AdmittedPlugin;
  readonly plugin: Plugin;
}

interface Broken extends FaultyPlugin {
  readonly digest: string | null;
}

const NOTHING: LoadedPlugins = {
  list: () => [],
  health: async () => [],
  fault: () => undefined,
  unload: async () => false,
  unloadAll: async () => undefined,
};

/** Faults of plugins that are still being set up. */
const MOST_EARLY = 20;

const NO_ANSWERS: ProjectAnswers = { trusted: new Map(), declined: new Map() };

/** The plugins of one host, from the disk to their end. Nothing here rejects because of a plugin. */
export class PluginRuntime {
  #loaded: LoadedPlugins = NOTHING;
  #plugins: readonly Imported[] = [];
  /** What may run: known before any of it does, so that what its import does can be put down to it. */
  #sources: readonly AdmittedPlugin[] = [];
  /** Of plugins that were still being set up. */
  #early: { readonly name: string; readonly code: PluginErrorCode; readonly thrown: unknown }[] = [];
  #reports: readonly PluginReport[] = [];
  /** By plugin name. */
  #earlier: ReadonlyMap<string, readonly EarlierFault[]> = new Map();
  #authority = new Map<string, MutationAuthority>();
  readonly #options: PluginRuntimeOptions;
  readonly #stopListening: readonly Disposer[];

  constructor(options: PluginRuntimeOptions) {
    this.#options = options;
    const { events } = options.host;
    this.#stopListening = [
      events.on('hook.failed', ({ owner, hook, message }) =>
        this.#loaded.fault(owner, 'plugin.hook_failed', `${hook}: ${message}`),
      ),
      events.on('pipeline.failed', ({ owner, pipeline, message }) =>
        this.#loaded.fault(owner, 'plugin.hook_failed', `pipeline ${pipeline}: ${message}`),
      ),
    ];
  }

  /** Find, check, import and set up. */
  async load(): Promise<void> {
    await this.#load(false);
  }

  /** Tear all down, look at the disk again, and load what is there now, changed modules included. */
  async reload(): Promise<void> {
    await this.#loaded.unloadAll();
    await this.#load(true);
  }

  async #load(again: boolean): Promise<void> {
    const { host, places, trust, journal, setupTimeoutMs, teardownTimeoutMs } = this.#options;
    const rules = await this.#options.rules();
    const { found, faulty, disabled } = findPlugins(places());
    const { first, repeated } = withoutRepeats(found);
    // The person's answers are about a project's plugins: where it brings none, nothing hangs on them.
    const { answers, fault } = first.some(({ place }) => place === 'project')
      ? await this.#answers(trust)
      : { answers: NO_ANSWERS, fault: null };
    const { admitted, refused } = await admitPlugins(first, rules, answers);
    this.#sources = admitted;
    this.#early = [];
    const imported = await Promise.all(admitted.map((source) => this.#import(source, again)));
    const plugins = imported.flatMap((one) => ('plugin' in one ? [one] : []));
    const broken = imported.flatMap((one) => ('plugin' in one ? [] : [one]));
    this.#plugins = plugins;
    this.#earlier = (await journal?.read(plugins.map(({ source }) => source))) ?? new Map();
    this.#authority = new Map(
      plugins.map(({ plugin }) => [plugin.name, { official: false, capabilities: plugin.capabilities }]),
    );
    this.#loaded = await loadPlugins(
      plugins.map(({ plugin }) => plugin),
      {
        host,
        enforceCapabilities: rules.enforceCapabilities,
        onFault: (name, code, message) => {
          host.metrics.counter('wrongstack_plugin_faults_total', 1, { code });
          const source = plugins.find(({ plugin }) => plugin.name === name)?.source;
          if (source !== undefined) journal?.note(source, code, message);
        },
        ...(setupTimeoutMs !== undefined && { setupTimeoutMs }),
        ...(teardownTimeoutMs !== undefined && { teardownTimeoutMs }),
      },
    );
    for (const { name, code, thrown } of this.#early.splice(0)) this.#loaded.fault(name, code, thrown);
    const failures = [...faulty, ...repeated, ...refused, ...broken];
    for (const { name, error } of failures) host.log.error(error.message, { plugin: name, code: error.code });
    for (const { error } of [...failures, ...this.#loaded.list()])
      if (error !== null)
        host.metrics.counter('wrongstack_plugin_load_failures_total', 1, { code: error.code });
    this.#reports = [
      ...failures.map((one) =>
        report(one.name, {
          place: one.place,
          path: one.root,
          digest: one.digest ?? null,
          error: { code: one.error.code, message: withHint(one.error) },
        }),
      ),
      ...disabled.map((name) => report(name, { state: 'disabled' })),
      ...this.#missing(rules.require),
      ...(fault === null ? [] : [fault]),
    ];
  }

  async #answers(
    trust: ProjectPluginTrust,
  ): Promise<{ answers: ProjectAnswers; fault: PluginReport | null }> {
    try {
      const answers = { trusted: await trust.trusted(), declined: await trust.declined() };
      return { answers, fault: null };
    } catch (error) {
      // Nothing is trusted then, and the list says why.
      const fault = { code: 'plugin.trust_corrupt', message: messageOf(error) };
      return {
        answers: NO_ANSWERS,
        fault: report('(trust file)', { path: trust.file, error: fault }),
      };
    }
  }

  async #import(source: AdmittedPlugin, again: boolean): Promise<Imported | Broken> {
    const { hostModules, importModule, setupTimeoutMs } = this.#options;
    try {
      const version = again ? (await folderDigest(source.name, source.root)).slice(7, 23) : undefined;
      const plugin = await importPlugin(source, {
        hostModules,
        ...(importModule && { importModule }),
        ...(setupTimeoutMs !== undefined && { timeoutMs: setupTimeoutMs }),
        ...(version !== undefined && { version }),
      });
      return { source, plugin };
    } catch (error) {
      if (error instanceof PluginError) return { ...source, error };
      // A folder that went away meanwhile, or that may not be read.
      const fault = `${source.root}: ${messageOf(error)}`;
      return { ...source, error: new PluginError('plugin.unreadable', source.name, fault, { cause: error }) };
    }
  }

  #missing(required: readonly string[]): readonly PluginReport[] {
    if (required.length === 0) return [];
    const loaded = new Set(
      this.#loaded.list().flatMap(({ name, state }) => (state === 'loaded' ? [name] : [])),
    );
    return required
      .filter((name) => !loaded.has(name))
      .map((name) =>
        report(name, {
          error: {
            code: 'plugin.required_missing',
            message: `plugin ${name}: policy requires it (locks.plugins.require), and it is not loaded`,
          },
        }),
      );
  }

  list(): readonly PluginReport[] {
    const sources = new Map(this.#plugins.map(({ source, plugin }) => [plugin.name, source]));
    return [
      ...this.#loaded.list().map((status) => {
        const source = sources.get(status.name);
        return {
          ...status,
          place: source?.place ?? null,
          path: source?.root ?? null,
          digest: source?.digest ?? null,
          earlier: this.#earlier.get(status.name) ?? [],
        };
      }),
      ...this.#reports,
    ];
  }

  /** What a person can be asked about: this project's plugins that policy would let run and nobody has answered for. */
  untrusted(): readonly UntrustedPlugin[] {
    return this.#reports.flatMap(({ name, path: root, digest, error }) =>
      error?.code === 'plugin.untrusted' && root !== null && digest !== null ? [{ name, root, digest }] : [],
    );
  }

  filesOf({ name, root }: UntrustedPlugin): Promise<readonly string[]> {
    return pluginFiles(name, root);
  }

  /**
   * Keep a person's answer about exactly this content, and load what is trusted now. What has changed since it was shown
   * is another content: it is not loaded, and stays to be asked about.
   */
  async answer(plugins: readonly UntrustedPlugin[], yes: boolean): Promise<void> {
    const { trust } = this.#options;
    for (const { name, digest } of plugins)
      await (yes ? trust.trust(name, digest) : trust.decline(name, digest));
    await this.reload();
  }

  health(): Promise<readonly (PluginHealth & { readonly name: string })[]> {
    return this.#loaded.health();
  }

  /** Plugins that policy requires and that are not there: nothing should run then. */
  missingRequired(): readonly string[] {
    return this.#reports.flatMap(({ name, error }) =>
      error?.code === 'plugin.required_missing' ? [name] : [],
    );
  }

  /** Put down what one of them did. */
  fault(name: string, code: PluginErrorCode, thrown: unknown): void {
    const loaded = this.#loaded.list().some((one) => one.name === name && one.state === 'loaded');
    if (loaded) this.#loaded.fault(name, code, thrown);
    else if (this.#early.length < MOST_EARLY) this.#early.push({ name, code, thrown });
  }

  /**
   * Whose code threw this, by its stack. One that says nothing of where it was thrown (a text, a socket's error) is none of
   * the host's, which throws errors alone and listens to its sockets: it may be any plugin's.
   */
  ownersOf(thrown: unknown): readonly string[] {
    const files = filesIn(thrown);
    if (files.length === 0) return this.#sources.map(({ name }) => name);
    return this.#sources
      .filter(({ root }) => files.some((file) => isBelow(file, root)))
      .map(({ name }) => name);
  }

  /** Whose code is at the top of this stack, not counting Node's. */
  callerOf(stack: Error): string | undefined {
    const [nearest] = filesIn(stack);
    if (nearest === undefined) return undefined;
    return this.#sources.find(({ root }) => isBelow(nearest, root))?.name;
  }

  authorityOf(plugin: string): MutationAuthority | undefined {
    return this.#authority.get(plugin);
  }

  digestOf(plugin: string): string | undefined {
    return this.#plugins.find((one) => one.plugin.name === plugin)?.source.digest ?? undefined;
  }

  /** Tear all down, the last one loaded first. */
  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await this.#loaded.unloadAll();
    await this.#options.journal?.flush();
  }
}

/** A project's plugin never takes the place, or the rights, of one that the person installed under the same name. */
function withoutRepeats(found: readonly FoundPlugin[]): {
  readonly first: readonly FoundPlugin[];
  readonly repeated: readonly FaultyPlugin[];
} {
  const first = found.filter(({ name }, index) => found.findIndex((one) => one.name === name) === index);
  const repeated = found
    .filter((one) => !first.includes(one))
    .map(({ name, place, root }) => ({
      name,
      place,
      root,
      error: new PluginError('plugin.duplicate', name, `${root}: a plugin of this name is already there`),
    }));
  return { first, repeated };
}
