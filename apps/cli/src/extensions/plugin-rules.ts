import type { PluginRules } from '@wrongstack/plugins';
import type { Host } from '../app/host.js';

/**
 * `locks.plugins` as the loader asks for it. Where no document says anything about a project's plugins the person's own
 * trust decides, by content; one that says deny is final.
 */
export async function pluginRules({
  policy,
  documents,
  request,
}: Pick<Host, 'policy' | 'documents' | 'request'>): Promise<
  PluginRules & { readonly enforceCapabilities: boolean }
> {
  const { plugins } = await policy.locks(request.projectRoot);
  const { documents: loaded, failure } = await documents.load(request.projectRoot);
  // What an unreadable document says is unknown, so it may be the one that forbids.
  const said = failure !== null || loaded.some(({ locks }) => locks?.plugins?.project !== undefined);
  return { ...plugins, project: said ? plugins.project : 'trusted' };
}
