import type { TaskFilter } from '@wrongstack/contracts';
import { abilitiesOf } from '../auth/compile-ability.js';
import type { Principal } from '../auth/principal.js';

/** Whose tasks somebody may do this to: their own, or everybody's. One control plane serves one organisation. */
export function reachOf(caller: Principal, action: 'read' | 'delete'): TaskFilter {
  return abilitiesOf(caller).may(action, 'Task', { owner: null }) ? {} : ownOf(caller);
}

export function ownOf({ org, user }: Pick<Principal, 'org' | 'user'>): TaskFilter {
  return { tenant: org, user };
}
