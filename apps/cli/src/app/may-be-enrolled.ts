import path from 'node:path';
import { nothingAt } from '@wrongstack/contracts';
import type { AgentPaths } from './agent-paths.js';

/** Two looks at the disk, so that nothing of the control plane is loaded on a machine that has none. Unsure = yes. */
export function mayBeEnrolled({ managedDir, control }: AgentPaths): boolean {
  const files = [path.join(managedDir, 'managed.json'), path.join(control, 'enrolment.json')];
  return !files.every(nothingAt);
}
