import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SessionStore } from '@wrongstack/contracts';
import type { SubagentHost } from './subagent-host.js';

/**
 * Subagents of one session: their logs lie beside the sessions and not among them, since nobody resumes one by itself; their
 * scratch folders lie in the session's own, so that the agent may read what its subagent spilled there.
 */
export function loggedSubagents(parts: {
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly scratchDir: string;
  readonly maxDepth: SubagentHost['maxDepth'];
}): SubagentHost {
  return {
    async open(start) {
      const log = await parts.sessions.create(start);
      const folder = path.join(parts.scratchDir, log.id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return { log, scratchDir: folder };
    },
    maxDepth: parts.maxDepth,
  };
}
