import { WrongStackError } from '@wrongstack/contracts';
import type { Host } from '../app/host.js';
import { hasExtensions } from './has-extensions.js';

/**
 * Load what there is: plugins, then MCP servers, which come up in the background unless this is for a command that shows
 * what there is. Throws `plugin.required_missing` alone, and only where asked to.
 */
export async function loadExtensions(host: Host): Promise<void> {
  const { request, config, extensions } = host;
  if (request.extensions === 'none') return;
  const present = await hasExtensions(request, config.current);
  if (request.ownsProcess === true && (present.plugins || present.mcp)) {
    const { guardProcess } = await import('./process-guard.js');
    extensions.onClose(guardProcess(host));
  }
  if (present.plugins) {
    const { loadPluginRuntime } = await import('./load-plugin-runtime.js');
    await loadPluginRuntime(host);
  }
  if (present.mcp) {
    const { beginConfiguredServers } = await import('./load-mcp.js');
    await beginConfiguredServers(host);
    if (request.extensions === 'load') await extensions.settled();
  }
  if (request.extensions !== 'load') await enforceRequired(host);
}

/** A plugin that an organisation requires may be what redacts or records: without it nothing runs. */
async function enforceRequired({ policy, request, extensions }: Host): Promise<void> {
  const { require } = (await policy.locks(request.projectRoot)).plugins;
  const loaded = new Set(
    extensions.plugins?.list().flatMap(({ name, state }) => (state === 'loaded' ? [name] : [])),
  );
  const missing = require.filter((name) => !loaded.has(name));
  if (missing.length === 0) return;
  throw new WrongStackError(
    'plugin.required_missing',
    `policy requires plugins that are not loaded: ${missing.join(', ')}`,
    { hint: 'wstack plugin list says why; ask the administrator where to get them' },
  );
}
