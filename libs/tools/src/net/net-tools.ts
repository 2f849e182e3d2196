import type { Tool } from '@wrongstack/contracts';
import { createFetchTool } from './fetch.tool.js';
import type { NetworkGuard } from './guarded-fetch.js';
import { createSearchTool } from './search.tool.js';
import type { SearchEndpoint } from './search-engines.js';

export interface NetToolOptions {
  /** Hosts of the intranet that an administrator permits, exactly. */
  readonly allowPrivateHosts?: readonly string[];
  readonly search?: SearchEndpoint;
}

/** The tools that reach the network, as the host has configured them. */
export function createNetTools(options: NetToolOptions = {}): readonly Tool[] {
  const guard: NetworkGuard =
    options.allowPrivateHosts === undefined ? {} : { allowPrivateHosts: options.allowPrivateHosts };
  return [
    createFetchTool({ guard }),
    createSearchTool({ guard, ...(options.search === undefined ? {} : { endpoint: options.search }) }),
  ];
}

/** The same without any configuration: only public hosts, and no search service. */
export const netTools: readonly Tool[] = createNetTools();
