import type { AgentHandle, ContentBlock, InjectSource } from '@wrongstack/contracts';

export interface InjectedNote {
  readonly content: readonly ContentBlock[];
  readonly source: InjectSource;
}

export interface TestAgent extends AgentHandle {
  /** What was injected while the agent lived. */
  readonly injected: readonly InjectedNote[];
  /** The session ends: what is injected later goes nowhere, as in the host. */
  dispose(): void;
}

/** An agent handle for `testOptions({ agent })`, and for `exec.agent` of `defineTool`. */
export function createTestAgent(): TestAgent {
  const injected: InjectedNote[] = [];
  let disposed = false;
  return {
    injected,
    inject(content, { source }) {
      if (disposed) return;
      injected.push({
        content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
        source,
      });
    },
    dispose() {
      disposed = true;
    },
  };
}
