import type { BuiltInToolOptions } from '@wrongstack/tools';
import type { MemoryStore } from '@wrongstack/tools';
import type { HostParts } from './host-parts.js';

/** What the built-in tools need of this host. */
export function toolOptions(parts: HostParts, memory: MemoryStore): BuiltInToolOptions {
  const { net } = parts.config.current;
  return {
    environment: parts.request.environment.all,
    net: {
      ...(net?.allowPrivateHosts !== undefined && { allowPrivateHosts: net.allowPrivateHosts }),
      ...(net?.search !== undefined && { search: net.search }),
    },
    memory,
    session: {
      tighten: () => {
        parts.control.mode = 'plan';
      },
    },
  };
}
