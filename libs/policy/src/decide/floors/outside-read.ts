import type { PathFact } from '@wrongstack/contracts';
import type { CallView } from '../../rules/match/call-view.js';
import type { Findings } from '../findings.js';
import type { FloorList } from '../floor-list.js';
import { floorSource } from '../sources.js';
import type { TrustInForce } from '../trust-match.js';
import { ruleNaming } from './acknowledged.js';

/** Reading outside the project: an allow or a grant that names the path lowers it, YOLO does not. */
export function outsideReadFloors(
  view: CallView,
  findings: Findings,
  trust: TrustInForce,
  floors: FloorList,
): void {
  for (const path of view.paths ?? []) {
    if (!leavesProject(path)) continue;
    const reason =
      path.claimed === null
        ? 'it reads a file whose name is not known before it runs'
        : `outside-project: ${path.claimed}`;
    const loweredBy =
      ruleNaming(path, 'fs.read', findings.allows, view.facts.project) ?? trust.grantOnPath(path);
    floors.confirm('outside-read', floorSource('outside-read'), reason, loweredBy);
  }
}

function leavesProject(path: PathFact): boolean {
  if (path.access !== 'read' || path.scratch) return false;
  // What cannot be resolved at all is denied elsewhere.
  return path.claimed === null || (path.real !== null && !path.inside);
}
