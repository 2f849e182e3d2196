import { type Config, deepFreeze } from '@wrongstack/contracts';
import { compileSchema, type Plugin } from '@wrongstack/kernel';
import { settingsByName } from '../discovery/find-plugins.js';
import { PluginError } from './plugin-error.js';

type Options = Readonly<Record<string, unknown>>;

/**
 * The options of one plugin: its defaults, then `plugins[].options`, then `extensions[name]`, each laid over the one
 * before, one level deep. Checked against `configSchema`; throws `plugin.config_invalid` with the path of the field.
 */
export function pluginOptions(plugin: Plugin, config: Config): Options {
  const merged: Options = {
    ...plugin.defaultConfig,
    ...configuredOptions(plugin.name, config.plugins),
    ...own(config.extensions, plugin.name),
  };
  if (plugin.configSchema !== undefined) {
    const [fault] = compileSchema(plugin.configSchema, `plugin ${plugin.name}: configSchema`)(merged);
    if (fault !== undefined) {
      throw new PluginError('plugin.config_invalid', plugin.name, `option ${fault}`, {
        path: fault.split(':', 1)[0] ?? '/',
      });
    }
  }
  return Object.keys(merged).length === 0 ? Object.freeze(merged) : deepFreeze(structuredClone(merged));
}

/** What `api.config` shows: the host's snapshot with this plugin's merged options in their place. */
export function configForPlugin(plugin: Plugin, config: Config, options: Options): Config {
  return deepFreeze(
    structuredClone({
      ...config,
      plugins: Object.fromEntries(settingsByName(config.plugins)),
      extensions: { ...config.extensions, [plugin.name]: options },
    }),
  );
}

/** The same for a configuration that has changed; where its options no longer fit the schema, they are shown as they are. */
export function changedConfigFor(plugin: Plugin, config: Config): Config {
  try {
    return configForPlugin(plugin, config, pluginOptions(plugin, config));
  } catch {
    return configForPlugin(plugin, config, own(config.extensions, plugin.name) ?? {});
  }
}

function configuredOptions(name: string, plugins: Config['plugins']): Options {
  const listed = plugins;
  const settings = Array.isArray(listed)
    ? (listed as readonly ({ readonly name: string } & Options)[]).find((one) => one.name === name)
    : own(listed as Readonly<Record<string, Options>>, name);
  const options = settings?.['options'];
  return typeof options === 'object' && options !== null ? (options as Options) : {};
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
