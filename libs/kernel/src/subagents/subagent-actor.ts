import { DANGEROUS_CAPABILITIES, isCanonicalCapability } from '@wrongstack/contracts';
import type { ActorFacts, Capability, RegisteredTool } from '@wrongstack/contracts';

/**
 * Who a subagent is to the policy: its parent one level deeper, under a ceiling that is a subset of the parent's. The policy
 * decides each of its calls as its own and as its parent's, and keeps dangerous capabilities from it unless a rule names
 * subagents and that capability; a ceiling that was asked for lifts nothing of that.
 */
export function subagentActor(
  parent: ActorFacts,
  name: string,
  asked: readonly Capability[] | undefined,
): ActorFacts {
  return {
    ...parent,
    subagentDepth: parent.subagentDepth + 1,
    subagent: name,
    ceiling: ceilingUnder(parent.ceiling, asked),
    parent,
  };
}

function ceilingUnder(
  above: readonly Capability[] | null,
  asked: readonly Capability[] | undefined,
): readonly Capability[] | null {
  if (asked === undefined) return above;
  const own = [...new Set(asked)];
  return above === null ? own : own.filter((capability) => above.includes(capability));
}

/**
 * Whether a subagent is told about a tool: one that it could only be denied is a waste of its turns. This is a courtesy and
 * no gate; a call of any other tool is decided like every call.
 */
export function offersTo(
  actor: ActorFacts,
  asked: readonly Capability[] | undefined,
): (tool: RegisteredTool) => boolean {
  return ({ capabilities = [] }) => {
    const declared: readonly Capability[] = capabilities.length === 0 ? ['unknown'] : capabilities;
    return declared.every(
      (capability) =>
        (actor.ceiling === null || actor.ceiling.includes(capability)) &&
        (!isDangerous(capability) || asked?.includes(capability) === true),
    );
  };
}

function isDangerous(capability: Capability): boolean {
  return DANGEROUS_CAPABILITIES.includes(capability) || !isCanonicalCapability(capability);
}
