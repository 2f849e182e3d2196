import type { PluginDependency, PluginManifest } from '@wrongstack/contracts';
import { satisfies } from 'semver';
import { PluginError } from './plugin-error.js';

export interface PluginOrder<P extends PluginManifest> {
  /** Dependencies before those who need them; otherwise as given. */
  readonly ordered: readonly P[];
  readonly rejected: readonly { readonly plugin: P; readonly error: PluginError }[];
}

/**
 * Conflicts first, then dependencies. A plugin that cannot be placed is rejected alone; what depends on it is rejected
 * with it, and everybody else loads.
 */
export function orderPlugins<P extends PluginManifest>(plugins: readonly P[]): PluginOrder<P> {
  const errors = new Map<P, PluginError>();
  const byName = new Map<string, P>();
  for (const plugin of plugins) {
    const first = byName.get(plugin.name);
    if (first === undefined) byName.set(plugin.name, plugin);
    else
      errors.set(
        plugin,
        new PluginError('plugin.duplicate', plugin.name, 'a plugin of this name is already there'),
      );
  }
  for (const plugin of byName.values()) {
    const rival = plugin.conflictsWith?.find((name) => name !== plugin.name && byName.has(name));
    if (rival !== undefined) {
      errors.set(
        plugin,
        new PluginError('plugin.conflict', plugin.name, `conflicts with ${rival}, which is there too`),
      );
    }
  }
  const ordered: P[] = [];
  const state = new Map<P, 'visiting' | 'done'>();

  const visit = (plugin: P, path: readonly string[]): void => {
    if (state.has(plugin) || errors.has(plugin)) return;
    state.set(plugin, 'visiting');
    for (const dependency of plugin.dependsOn ?? []) {
      const fault = place(plugin, dependency, [...path, plugin.name]);
      if (fault !== undefined) {
        if (!errors.has(plugin)) errors.set(plugin, fault);
        break;
      }
    }
    for (const dependency of plugin.optionalDeps ?? []) {
      const target = byName.get(nameOf(dependency));
      // A cycle through something optional is no fault: the optional side simply comes later.
      if (target !== undefined && state.get(target) !== 'visiting') visit(target, [...path, plugin.name]);
    }
    state.set(plugin, 'done');
    if (!errors.has(plugin)) ordered.push(plugin);
  };

  const place = (
    plugin: P,
    dependency: PluginDependency,
    path: readonly string[],
  ): PluginError | undefined => {
    const name = nameOf(dependency);
    const target = byName.get(name);
    if (target === undefined) {
      return new PluginError(
        'plugin.dependency_missing',
        plugin.name,
        `needs ${name}, which is not installed`,
      );
    }
    if (state.get(target) === 'visiting') {
      const cycle = [...path.slice(path.indexOf(name)), name].join(' -> ');
      return new PluginError('plugin.cycle', plugin.name, `dependencies form a cycle: ${cycle}`);
    }
    visit(target, path);
    const cause = errors.get(target);
    if (cause !== undefined) {
      // Everybody on a cycle is told the whole cycle, not only who noticed it.
      if (cause.code === 'plugin.cycle' && cause.message.includes(plugin.name)) {
        return new PluginError('plugin.cycle', plugin.name, cause.message.replace(/^plugin [^:]+: /, ''));
      }
      return new PluginError('plugin.dependency_failed', plugin.name, `needs ${name}, which did not load`, {
        cause,
      });
    }
    const range = typeof dependency === 'string' ? undefined : dependency.version;
    if (range !== undefined && !satisfies(target.version ?? '0.0.0', range, { includePrerelease: true })) {
      const has = target.version ?? 'no version';
      return new PluginError(
        'plugin.dependency_version',
        plugin.name,
        `needs ${name} ${range}, but it is ${has}`,
      );
    }
    return undefined;
  };

  for (const plugin of byName.values()) visit(plugin, []);
  return { ordered, rejected: plugins.flatMap((plugin) => asRejected(plugin, errors.get(plugin))) };
}

function asRejected<P>(
  plugin: P,
  error: PluginError | undefined,
): readonly { plugin: P; error: PluginError }[] {
  return error === undefined ? [] : [{ plugin, error }];
}

function nameOf(dependency: PluginDependency): string {
  return typeof dependency === 'string' ? dependency : dependency.name;
}
