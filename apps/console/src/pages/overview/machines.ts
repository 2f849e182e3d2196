import type { Overview } from './overview.js';

type States = Overview['fleet']['states'];
export type MachineState = keyof States;

/** Those that need somebody first. */
const STATES: readonly MachineState[] = ['expired', 'undetermined', 'stale', 'none', 'fresh'];

/** How many machines are in which state of their policies, and how many not as they should be. */
export function machinesIn({ states }: Overview['fleet']): {
  readonly states: readonly { readonly state: MachineState; readonly count: number }[];
  readonly amiss: number;
} {
  const known = STATES.map((state) => ({ state, count: states[state] ?? 0 })).filter(
    ({ count }) => count > 0,
  );
  const amiss = known.reduce((all, { state, count }) => all + (state === 'fresh' ? 0 : count), 0);
  return { states: known, amiss };
}
