import type { PluginCapabilities } from '@wrongstack/contracts';
import { PluginError } from '../loader/plugin-error.js';

/** Every surface on which a plugin registers something. */
export type PluginSurface =
  'tools' | 'providers' | 'slashCommands' | 'mcp' | 'hooks' | 'mutation' | `pipelines.${string}`;

export interface CapabilityGuard {
  /** Call before a registration. Warns once a surface, or throws `plugin.capability_undeclared` in strict mode. */
  use(surface: PluginSurface): void;
  /** What was used so far, for `plugin list`. */
  used(): readonly PluginSurface[];
  /** Setup is over: what is registered from now on is told to `late`. A server may be started at any time. */
  settle(): void;
}

export function createCapabilityGuard(
  plugin: string,
  declared: PluginCapabilities | undefined,
  strict: boolean,
  warn: (message: string) => void,
  late: (surface: PluginSurface) => void = () => undefined,
): CapabilityGuard {
  const used = new Set<PluginSurface>();
  let settled = false;
  return {
    use(surface) {
      const first = !used.has(surface);
      used.add(surface);
      if (settled && surface !== 'mcp') late(surface);
      if (isDeclared(surface, declared)) return;
      const fault = `uses ${surface} without declaring it in capabilities`;
      if (strict) throw new PluginError('plugin.capability_undeclared', plugin, fault);
      if (first) warn(fault);
    },
    used: () => [...used],
    settle() {
      settled = true;
    },
  };
}

function isDeclared(surface: PluginSurface, declared: PluginCapabilities | undefined): boolean {
  if (declared === undefined) return false;
  switch (surface) {
    case 'tools':
    case 'providers':
    case 'slashCommands':
    case 'mcp':
    case 'hooks':
      return declared[surface] === true;
    case 'mutation':
      return (declared.toolMutateCapabilities ?? []).length > 0;
    default:
      return (declared.pipelines ?? []).includes(surface.slice('pipelines.'.length));
  }
}
