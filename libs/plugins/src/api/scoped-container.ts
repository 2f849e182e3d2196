import { ApprovalChannel, AuditLog, PermissionPolicy, WrongStackError } from '@wrongstack/contracts';
import {
  type Container,
  type ContainerKey,
  isSealed,
  nameOfKey,
  type PluginAPI,
  TOKENS,
  type ToolHooks,
} from '@wrongstack/kernel';
import { viewOf } from './view-of.js';

/** What stands for one of the host's own objects where a plugin resolves it; made when it does. */
export type HostViews = ReadonlyMap<unknown, () => object>;

/**
 * The container as one plugin sees it. The host's registries come as this plugin's views of them: registered under its name,
 * released with it. What decides, asks and records can be asked and not be changed. What another plugin bound comes as it is.
 */
export function scopedContainer(
  container: Container,
  plugin: string,
  track: PluginAPI['container']['bind'],
  views: HostViews,
  hooks: (real: ToolHooks) => ToolHooks,
): PluginAPI['container'] {
  const sealed = (what: string): never => {
    throw new WrongStackError('plugin.sealed', `plugin ${plugin}: ${what} belongs to the host`);
  };
  const made = new Map<unknown, object>();
  const viewFor = (key: ContainerKey<unknown>, real: unknown): object | undefined =>
    views.get(real)?.() ?? sealedView(key, real, hooks, sealed);
  return {
    bind: (key, binding) => (isSealed(key) ? sealed(nameOfKey(key)) : track(key, binding)),
    resolve<T>(key: ContainerKey<T>): T {
      const real = container.resolve(key);
      const view = made.get(real) ?? viewFor(key, real);
      if (view === undefined) return real;
      made.set(real, view);
      // Made of the very thing that is bound to this key.
      return view as T;
    },
    has: (key) => container.has(key),
  };
}

/** Of keys that nobody can rebind, so that what stands under them is the host's. */
function sealedView(
  key: ContainerKey<unknown>,
  real: unknown,
  hooks: (real: ToolHooks) => ToolHooks,
  sealed: (what: string) => never,
): object | undefined {
  switch (key) {
    case TOKENS.ToolHooks:
      return hooks(real as ToolHooks);
    case PermissionPolicy: {
      const policy = real as PermissionPolicy;
      return viewOf(policy, {
        decide: (call) => policy.decide(call),
        recheck: (call, decision, approval) => policy.recheck(call, decision, approval),
        remember: async () => sealed('what people answered'),
        decidedPaths: () => null,
      });
    }
    case ApprovalChannel: {
      const channel = real as ApprovalChannel;
      return viewOf(channel, { ask: (request, signal) => channel.ask(request, signal) });
    }
    case AuditLog:
      return viewOf(real as AuditLog, { append: async () => sealed('the audit log') });
    default:
      return undefined;
  }
}
