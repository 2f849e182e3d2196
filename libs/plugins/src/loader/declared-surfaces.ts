import type { PluginCapabilities } from '@wrongstack/contracts';

/** A plugin's declaration as surface names, to be shown beside what it used. */
export function declaredSurfaces(capabilities: PluginCapabilities | undefined): readonly string[] {
  if (capabilities === undefined) return [];
  const { pipelines = [], toolMutateCapabilities = [], ...flags } = capabilities;
  return [
    ...Object.entries(flags).flatMap(([surface, declared]) => (declared ? [surface] : [])),
    ...pipelines.map((name) => `pipelines.${name}`),
    ...(toolMutateCapabilities.length > 0 ? ['mutation'] : []),
  ];
}
