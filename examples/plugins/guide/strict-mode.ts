import { loadPlugins } from '@wrongstack/plugins';
import type { Plugin } from '@wrongstack/core';
import type { PluginHost } from '@wrongstack/plugins';

export async function strictly(plugins: readonly Plugin[], host: PluginHost) {
  return await loadPlugins(plugins, {
    enforceCapabilities: true, // strict mode — lying = load failure
    host,
  });
}
