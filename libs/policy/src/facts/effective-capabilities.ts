import type { Capability, EffectiveCapability, HostFact, PathFact } from '@wrongstack/contracts';

/**
 * Declared capabilities, which every simple command carries, and those that the known paths and hosts imply, which are
 * carried by the commands that imply them. A write that is not known to stay in the project counts as one that leaves it.
 */
export function effectiveCapabilities(
  declared: readonly Capability[],
  paths: readonly PathFact[] | 'unknown',
  hosts: readonly HostFact[] | 'unknown',
): readonly EffectiveCapability[] {
  const carriers = new Map<Capability, Set<number> | 'all'>();
  const imply = (name: Capability, command: number | null): void => {
    const known = carriers.get(name);
    if (known === 'all' || command === null) carriers.set(name, 'all');
    else carriers.set(name, (known ?? new Set()).add(command));
  };
  for (const path of paths === 'unknown' ? [] : paths) imply(capabilityOf(path), path.command);
  for (const host of hosts === 'unknown' ? [] : hosts) imply('net.outbound', host.command);
  for (const name of declared) carriers.set(name, 'all');
  // A tool that says nothing about itself could do anything, whatever its claims imply.
  if (declared.length === 0) carriers.set('unknown', 'all');
  const declaredNames = new Set(declared);
  return [...carriers].map(([name, by]) => ({
    name,
    declared: declaredNames.has(name),
    carriedBy: by === 'all' ? by : [...by].sort((a, b) => a - b),
  }));
}

function capabilityOf(path: PathFact): Capability {
  if (path.access === 'read') return 'fs.read';
  return path.inside ? 'fs.write' : 'fs.write.outside-project';
}
