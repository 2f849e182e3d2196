import { deepFreeze } from '@wrongstack/contracts';
import type { Config } from '@wrongstack/contracts';

/** What holds where no layer says otherwise. */
export const DEFAULT_CONFIG: Config = deepFreeze({
  provider: { type: 'anthropic', model: 'claude-sonnet-4-5', maxOutputTokens: 8_192 },
  agent: { maxIterations: 100, contextTokens: 180_000, compactAt: 0.8, maxRetries: 5 },
  tools: {},
  prices: {},
  plugins: {},
  extensions: {},
  policy: {},
  ui: { color: 'auto' as const },
  log: { level: 'info' as const },
});
