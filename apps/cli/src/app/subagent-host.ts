import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SubagentHost } from '@wrongstack/kernel';
import type { Host } from './host.js';

/**
 * Subagents of one session: their logs lie beside the sessions and not among them, since nobody resumes one by itself; their
 * scratch folders lie in the session's own, so that the agent may read what its subagent spilled there.
 */
export function subagentHost(host: Host, scratchDir: string): SubagentHost {
  return {
    async open(start) {
      const log = await host.subagentSessions.create(start);
      const folder = path.join(scratchDir, log.id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return { log, scratchDir: folder };
    },
    maxDepth: async () => (await host.policy.locks(host.request.projectRoot)).subagentMaxDepth,
  };
}
