import type { SpawnWrapper } from './tool.js';

export type SandboxProfile = 'read-only' | 'workspace-write' | 'no-network';

/** Confines child processes. A profile that cannot be provided denies the call. */
export abstract class Sandbox {
  /** `null` = usable; else one line that says why not. */
  abstract unavailable(): Promise<string | null>;
  /** The strictest combination of all profiles asked for. */
  abstract wrapper(profiles: readonly SandboxProfile[], workspace: string): SpawnWrapper;
}
