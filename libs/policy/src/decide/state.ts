import type { PolicyState } from '@wrongstack/contracts';
import type { MergedLocks } from '../rules/merged-locks.js';
import type { CallView } from '../rules/match/call-view.js';
import type { Findings } from './findings.js';
import type { FloorList } from './floor-list.js';

const SPOOL_FULL = 'no more decisions can be kept for the server; connect to it so that it takes some';

/** What the state of the central policy demands. A fresh, a stale and no central policy demand nothing of their own. */
export function stateFloors(
  view: CallView,
  findings: Findings,
  { state, spoolIsFull = false }: { readonly state: PolicyState; readonly spoolIsFull?: boolean },
  locks: MergedLocks,
  floors: FloorList,
): void {
  if (spoolIsFull) denyDangerous(SPOOL_FULL, 'spool-full');
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

  function denyDangerous(why: string, id: string = state): void {
    const dangerous = findings.capabilities.find((capability) => capability.dangerous);
    if (dangerous !== undefined) floors.hard('deny', { kind: 'state', id }, `${dangerous.name}: ${why}`);
  }
}
