import type { PolicyState } from '@wrongstack/contracts';
import type { MergedLocks } from '../rules/merged-locks.js';
import type { CallView } from '../rules/match/call-view.js';
import type { Findings } from './findings.js';
import type { FloorList } from './floor-list.js';

/** What the state of the central policy demands. A fresh, a stale and no central policy demand nothing of their own. */
export function stateFloors(
  view: CallView,
  findings: Findings,
  state: PolicyState,
  locks: MergedLocks,
  floors: FloorList,
): void {
  switch (state) {
    case 'none':
    case 'fresh':
    case 'stale':
      return;
    case 'expired':
      return denyDangerous('the policy has expired; connect to the server to renew it');
    case 'undetermined':
      return undetermined();
  }

  function undetermined(): void {
    const why = 'this client is enrolled but holds no valid policy yet';
    if (locks.onUndetermined === 'refuse') {
      floors.hard('deny', { kind: 'state', id: state }, `${why}; nothing runs until it does`);
      return;
    }
    denyDangerous(why);
    if (view.facts.callRisk !== 'safe') floors.hard('confirm', { kind: 'state', id: state }, why);
  }

  function denyDangerous(why: string): void {
    const dangerous = findings.capabilities.find((capability) => capability.dangerous);
    if (dangerous !== undefined)
      floors.hard('deny', { kind: 'state', id: state }, `${dangerous.name}: ${why}`);
  }
}
