import { WireFormatProvider } from '@wrongstack/providers';
import { myWireFormat } from './my-wire-format.js';
import type { Plugin } from '@wrongstack/core';

const plugin: Plugin = {
  name: 'surfaces',
  capabilities: {
    tools: true,
    providers: true,
    slashCommands: true,
    mcp: true,
    hooks: true,
    pipelines: ['request'],
    toolMutateCapabilities: ['shell.arbitrary'],
  },

  async setup(api) {
    api.providers.register({
      type: 'my-llm',
      family: 'openai-compatible',
      create: (cfg) => {
        const c = cfg as { apiKey: string; baseUrl?: string };
        return new WireFormatProvider(myWireFormat, {
          apiKey: c.apiKey,
          baseUrl: c.baseUrl,
        });
      },
    });

    api.pipelines.request.use({
      name: 'inject-headers',
      owner: 'my-plugin', // shown in /diag, used by host error policy
      handler: async (req, next) => {
        (req as { headers?: Record<string, string> }).headers = {
          ...(req as any).headers,
          'x-tenant': api.config.extensions?.['my-plugin']?.tenant ?? 'default',
        };
        return next(req);
      },
    });

    api.onEvent('tool.executed', (e) => {
      api.log.info(`${e.name} ran in ${e.durationMs}ms`);
    });

    api.slashCommands.register({
      name: 'tenant',
      description: 'Switch active tenant',
      async execute({ args, ctx }) {
        ctx.meta.tenant = args.join(' ') || 'default';
        return { message: `Tenant set to ${ctx.meta.tenant}` };
      },
    });

    await api.mcp.start({
      name: 'my-mcp',
      transport: 'stdio',
      command: 'npx',
      args: ['-y', '@me/my-mcp-server'],
      enabled: true,
    });

    api.extensions.register({
      name: 'my-plugin-hooks',
      beforeRun: async (ctx, input) => {
        /* before iteration loop starts */
      },
      afterRun: async (ctx, result) => {
        /* after run finishes */
      },
      beforeIteration: async (ctx, idx) => {
        /* start of each iteration */
      },
      afterIteration: async (ctx, idx) => {
        /* end of each iteration */
      },
      onError: async (ctx, err, phase, idx) => {
        return { action: 'retry' }; // or 'fail' | 'continue'
      },
      wrapProviderRunner: async (ctx, req, inner) => {
        // wrap/replace the provider call
        return inner(ctx, req);
      },
      beforeToolExecution: async (ctx, toolUses) => {
        // filter or reorder tools before execution
        return toolUses;
      },
      afterToolExecution: async (ctx, outputs) => {
        /* inspect results */
      },
    });

    api.registerSystemPromptContributor(async (ctx) => [
      { type: 'text', text: '## My Plugin Context\nCurrent state: ...' },
    ]);

    await api.session.append({
      type: 'my-plugin:cache_hit',
      ts: new Date().toISOString(),
      key: 'user-123',
      latencyMs: 2.4,
    });

    api.metrics.counter('cache_hits', 1, { tier: 'l1' });
    api.metrics.histogram('cache_latency_ms', 42.5);
    api.metrics.gauge('cache_size', 142);

    api.onConfigChange((next, prev) => {
      this.ttl = next.plugins?.['my-plugin']?.ttl ?? 3600;
    });

    api.tools.wrap('bash', (original) => ({
      ...original,
      permission: 'confirm', // tighter permission
      riskTier: 'destructive', // raw shell is powerful; policy gates clearly destructive commands even in YOLO
      async execute(input, ctx, opts) {
        api.log.info('bash called with', input);
        return original.execute(input, ctx, opts);
      },
    }));

    api.emitCustom('my-plugin:state_changed', { state: 'active' });

    api.onPattern('tool.*', (name, payload) => {
      api.log.info(`Tool event: ${name}`, payload);
    });

    api.tools.registerAll([toolA, toolB, toolC], 'my-plugin');

    api.tools.register({
      name: 'cache_stats',
      category: 'Cache', // ← groups tools in the system prompt
      ...rest,
    });
  },
};

export default plugin;

// What the fragments leave out.
import type { Tool } from '@wrongstack/core';

const rest = {
  description: 'Show cache statistics',
  inputSchema: { type: 'object' },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  async execute() {
    return { entries: 142 };
  },
} satisfies Omit<Tool, 'name'>;
const [toolA, toolB, toolC] = (['tool_a', 'tool_b', 'bash'] as const).map((name): Tool => ({
  ...rest,
  name,
})) as [Tool, Tool, Tool];
