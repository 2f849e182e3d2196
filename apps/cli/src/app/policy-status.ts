import path from 'node:path';
import type { PolicyStatus } from '../terminal/status-lines.js';
import { NO_POLICY } from '../terminal/status-lines.js';
import type { Host } from './host.js';

/** The policies in force as the status line shows them. A machine that is not enrolled has no central one. */
export async function policyStatusOf({ centre, documents, policy, request }: Host): Promise<PolicyStatus> {
  const loaded = await documents.load(request.projectRoot);
  const isCentral = (tier: string): boolean => tier === 'org' || tier === 'team';
  const local = {
    own: loaded.documents
      .filter(({ metadata }) => !isCentral(metadata.scope.tier))
      .map(({ metadata }) => `${metadata.id} r${String(metadata.revision)}`),
    broken: loaded.failure === null ? null : path.basename(loaded.failure.file),
  };
  const central = loaded.documents.find(({ metadata }) => isCentral(metadata.scope.tier));
  if (centre !== null) {
    const { staleGraceHours } = await policy.locks(request.projectRoot);
    const report = await centre.report(staleGraceHours);
    const { id = null, revision = null } = central?.metadata ?? {};
    return { ...local, id, revision, ...report };
  }
  if (central === undefined) return { ...NO_POLICY, ...local };
  const { id, revision } = central.metadata;
  // A managed file is read anew for each call, so it is never older than it looks.
  return { ...local, id, revision, state: 'fresh', ageSeconds: 0, expiresInSeconds: null };
}
