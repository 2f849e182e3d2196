import {
  ApprovalChannel,
  AuditLog,
  MetricsSink,
  PermissionPolicy,
  SecretScrubber,
  SecretVault,
  SessionStore,
} from '@wrongstack/contracts';

declare const resolves: unique symbol;

/** A key of the container. `T` is what it resolves to. */
export interface Token<T> {
  readonly name: string;
  /** Sealed: decides, approves, records, scrubs or configures; plugins cannot rebind it. */
  readonly sealed: boolean;
  readonly [resolves]?: T;
}

export function createToken<T>(name: string, options: { readonly sealed?: boolean } = {}): Token<T> {
  return Object.freeze({ name, sealed: options.sealed ?? false });
}

/** What `container.resolve` accepts besides tokens: a port, which is type and key at once. */
export type PortClass<T> = abstract new (...args: never[]) => T;
export type ContainerKey<T> = Token<T> | PortClass<T>;

/** Well-known keys. */
export const TOKENS = {
  ConfigStore: createToken<import('../config/config-store.js').ConfigStore>('ConfigStore', { sealed: true }),
  EventBus: createToken<import('../events/event-bus.js').EventBus>('EventBus'),
  ToolRegistry: createToken<import('../registry/tool-registry.js').ToolRegistry>('ToolRegistry', {
    sealed: true,
  }),
  ToolExecutor: createToken<import('../execution/tool-executor.js').ToolExecutor>('ToolExecutor', {
    sealed: true,
  }),
  Pipelines: createToken<import('../pipeline/create-pipelines.js').Pipelines>('Pipelines'),
  SlashCommands:
    createToken<import('../registry/slash-command-registry.js').SlashCommandRegistry>('SlashCommands'),
  LifecycleHooks:
    createToken<import('../extensions/lifecycle-registry.js').LifecycleRegistry>('LifecycleHooks'),
  ToolHooks: createToken<import('../hooks/tool-hooks.js').ToolHooks>('ToolHooks', { sealed: true }),
  Logger: createToken<import('@wrongstack/contracts').Logger>('Logger'),
  PermissionPolicy,
  ApprovalChannel,
  AuditLog,
  SecretScrubber,
  SecretVault,
  SessionStore,
  MetricsSink,
} as const;

const SEALED_PORTS: ReadonlySet<unknown> = new Set([
  PermissionPolicy,
  ApprovalChannel,
  AuditLog,
  SecretScrubber,
  SecretVault,
  SessionStore,
]);

/** Whether a plugin may not bind this key. */
export function isSealed(key: ContainerKey<unknown>): boolean {
  return typeof key === 'function' ? SEALED_PORTS.has(key) : key.sealed;
}

export function nameOfKey(key: ContainerKey<unknown>): string {
  return key.name;
}
