import { type PluginCapabilities, type RegisteredTool, WrongStackError } from '@wrongstack/contracts';
import type { MutationGuard } from '@wrongstack/kernel';

/** How much of a tool's capabilities a plugin must have named: all of them, any of them, or no plugin may. */
export type MutationRule = 'superset' | 'overlap' | 'none';

export interface MutationAuthority {
  /** Bundled with the product. A plugin cannot say this of itself. */
  readonly official: boolean;
  readonly capabilities: PluginCapabilities | undefined;
}

/**
 * Who may wrap or unregister a tool: its owner and official plugins always; others only where their
 * `toolMutateCapabilities` cover it. A tool without capabilities is nobody else's to change.
 */
export function createMutationGuard(
  authorityOf: (plugin: string) => MutationAuthority | undefined,
  rule: () => MutationRule,
): MutationGuard {
  return (tool, by, action) => {
    if (by === tool.owner || by === 'core') return;
    const authority = authorityOf(by);
    if (authority?.official === true) return;
    const refusal = refusalOf(tool, authority?.capabilities?.toolMutateCapabilities ?? [], rule());
    if (refusal !== undefined) {
      throw new WrongStackError(
        'plugin.mutation_denied',
        `plugin ${by} may not ${action} ${tool.name}: ${refusal}`,
        {
          hint: 'declare the capabilities in toolMutateCapabilities, or ask the administrator about locks.plugins.mutation',
        },
      );
    }
  };
}

function refusalOf(tool: RegisteredTool, named: readonly string[], rule: MutationRule): string | undefined {
  const capabilities = tool.capabilities ?? [];
  if (rule === 'none') return 'policy lets no plugin change a tool of others (locks.plugins.mutation)';
  if (capabilities.length === 0) return 'the tool declares no capabilities, so only its owner may';
  const missing = capabilities.filter((capability) => !named.includes(capability));
  if (rule === 'overlap' ? missing.length < capabilities.length : missing.length === 0) return undefined;
  return `toolMutateCapabilities does not cover ${missing.join(', ')}`;
}
