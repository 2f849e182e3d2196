import { access } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '@wrongstack/contracts';
import type { AgentPaths } from './agent-paths.js';

/** Two looks at the disk, so that nothing of the control plane is loaded on a machine that has none. Unsure = yes. */
export async function mayBeEnrolled({ managedDir, control }: AgentPaths): Promise<boolean> {
  const files = [path.join(managedDir, 'managed.json'), path.join(control, 'enrolment.json')];
  const found = await Promise.all(
    files.map((file) =>
      access(file).then(
        () => true,
        (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(codeOf(error)),
      ),
    ),
  );
  return found.includes(true);
}
