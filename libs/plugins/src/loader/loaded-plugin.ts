import type { PluginHealth } from '@wrongstack/kernel';
import type { PluginErrorCode } from './plugin-error.js';
import type { PluginFault } from '../api/fault-record.js';
import type { PluginSurface } from '../api/capability-guard.js';

/** One line of `plugin list`. */
export interface PluginStatus {
  readonly name: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly state: 'loaded' | 'failed' | 'unloaded';
  /** Surfaces that it declared, and those that it used. */
  readonly declared: readonly string[];
  readonly used: readonly PluginSurface[];
  /** What went wrong since it was loaded. */
  readonly faults: readonly PluginFault[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface LoadedPlugins {
  list(): readonly PluginStatus[];
  health(): Promise<readonly (PluginHealth & { readonly name: string })[]>;
  /** Put down what one of its hooks or middlewares did. */
  fault(name: string, code: PluginErrorCode, thrown: unknown): void;
  /** Tear one down; false when it is not loaded. */
  unload(name: string): Promise<boolean>;
  /** Tear all down, in reverse order. Never rejects. */
  unloadAll(): Promise<void>;
}
