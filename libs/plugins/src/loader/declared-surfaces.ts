import type { PluginCapabilities } from '@wrongstack/contracts';

/** A plugin's declaration as surface names, to be shown beside what it used. */
export function declaredSurfaces(capabilities: PluginCapabilities | undefined): readonly string[] {
  if (capabilities === undefined) return [];
  const { pipelines = [], toolMutateCapabilities = [] } = capabilities;
  return [
    ...Object.keys(capabilities).filter((surface) => Reflect.get(capabilities, surface) === true),
    ...pipelines.map((name) => `pipelines.${name}`),
    ...(toolMutateCapabilities.length > 0 ? ['mutation'] : []),
  ];
}
