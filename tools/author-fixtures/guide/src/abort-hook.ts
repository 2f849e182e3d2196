import type { Tool } from '@wrongstack/core';

export const state = { open: 0 };

async function openHelper(): Promise<{ dispose(): void }> {
  state.open += 1;
  return { dispose: () => void (state.open -= 1) };
}

export const helperTool: Tool = {
  name: 'helper',
  description: 'Opens a helper that lives as long as the run.',
  inputSchema: { type: 'object' },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',

  async execute(input, ctx, opts) {
    const handle = await openHelper();
    ctx.registerAbortHook(() => handle.dispose());
    return { open: state.open };
  },
};
