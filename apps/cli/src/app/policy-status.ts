import type { PolicyStatus } from '../terminal/status-lines.js';
import { NO_POLICY } from '../terminal/status-lines.js';
import type { Host } from './host.js';

/** The central policy as the status line shows it. A machine that is not enrolled has none, whatever lies on its disk. */
export async function policyStatusOf({ documents, request }: Host): Promise<PolicyStatus> {
  const loaded = await documents.load(request.projectRoot);
  const central = loaded.documents.find(
    ({ metadata }) => metadata.scope.tier === 'org' || metadata.scope.tier === 'team',
  );
  if (central === undefined) return NO_POLICY;
  const { id, revision } = central.metadata;
  // A managed file is read anew for each call, so it is never older than it looks.
  return { id, revision, state: 'fresh', ageSeconds: 0, expiresInSeconds: null };
}
