import { silentLogger } from '@wrongstack/contracts';
import { InMemoryMetricsSink } from '@wrongstack/core';
import type { TestHost } from '@wrongstack/core/testing';
import type { PluginHost } from '@wrongstack/plugins';

/** What the plugin loader needs, over the real registries of a test host. MCP has no client here. */
export function pluginHostOf({ kernel }: TestHost): PluginHost {
  const none = async (): Promise<never> => {
    throw new Error('there is no MCP client in this test');
  };
  return {
    ...kernel,
    log: silentLogger,
    metrics: new InMemoryMetricsSink(),
    mcp: { start: none, stop: none, restart: none, list: () => [] },
    appendToSession: none,
    addSystemPromptContributor: (contributor, owner) =>
      kernel.systemPrompt.addContributor(contributor, owner),
  };
}
