import type { Disposer, Tool } from '@wrongstack/contracts';
import type { PluginAPI, StreamingTool } from '@wrongstack/kernel';
import type { CapabilityGuard } from './capability-guard.js';
import type { PluginHost } from './plugin-host.js';

/** The registry of tools as one plugin sees it: what it registers carries its name, and it changes no other's unasked. */
export function toolSurface(
  name: string,
  host: PluginHost,
  guard: CapabilityGuard,
  track: (disposer: Disposer) => Disposer,
): PluginAPI['tools'] {
  const register = (tool: Tool | StreamingTool): Disposer => {
    guard.use('tools');
    return track(host.tools.register(tool, name));
  };
  return {
    register,
    registerAll: (tools) =>
      tools
        .filter((tool) => host.tools.get(tool.name) === undefined)
        .map((tool) => (register(tool), tool.name)),
    wrap(tool, wrapper) {
      if (host.tools.get(tool)?.owner !== name) guard.use('mutation');
      return track(host.tools.wrap(tool, wrapper, name));
    },
    unregister(tool) {
      if (host.tools.get(tool)?.owner !== name) guard.use('mutation');
      host.tools.unregister(tool, name);
    },
    get: (tool) => host.tools.get(tool),
    list: () => host.tools.list(),
  };
}
