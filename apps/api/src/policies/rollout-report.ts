import type { ControlStore, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import { parts, type RolloutView, rolloutSchema } from '@wrongstack/contracts/wire';
import { REVISION_STATES } from '@wrongstack/contracts/control';
import { readSettings, type Settings } from '../identity/settings.js';
import { denialSpike } from './denial-spike.js';
import { rolloutTallies, type RolloutTallies, splitTally, type SplitTally } from './rollout-tallies.js';

/** As many as a chart of some hundred pixels shows. */
const STEPS = 36;

/** How a rollout goes: what a person looks at before they take it further, or halt it. */
export interface RolloutReport {
  readonly policy: string;
  readonly revision: number;
  readonly state: PolicyRevision['state'];
  readonly because: string | null;
  readonly changedAt: string;
  readonly rollout: RolloutView;
  readonly halt: Settings['haltOnDenials'];
  /** Why the server would halt it now; null = it would not. */
  readonly spike: string | null;
  readonly now: RolloutTallies;
  readonly series: readonly ({ readonly from: string } & SplitTally)[];
}

const { list, oneOf, open, orNull, text, time, whole } = parts;
const TALLY = open({ people: whole(0), decided: whole(0), denied: whole(0) });

export const ROLLOUT_REPORT = open({
  policy: text(200),
  revision: whole(1),
  state: oneOf(...REVISION_STATES),
  because: orNull(text(4000, 0)),
  changedAt: time,
  rollout: rolloutSchema,
  halt: {
    ...orNull(open({ percent: whole(1), atLeast: whole(1) })),
    description: 'Halted by the server when denials rise by so many percent points, and at least so many.',
  },
  spike: { ...orNull(text(500)), description: 'Why it would be halted now.' },
  now: {
    ...open({ staged: TALLY, before: TALLY, others: TALLY }),
    description: 'Of those who have it, of the same people in the day before, of the others.',
  },
  series: {
    ...list(open({ from: time, with: TALLY, without: TALLY }), STEPS),
    description: 'Steps of equal length, oldest first: those who have it, and the others.',
  },
});

/** `hours`: how far back the series goes. */
export async function rolloutReport(
  store: Pick<ControlStore, 'audit' | 'identities'>,
  policy: PolicyRecord,
  revision: PolicyRevision,
  hours: number,
  now: number,
): Promise<RolloutReport> {
  const { number, state, because, changedAt, rollout } = revision;
  const { haltOnDenials: halt } = (await readSettings(store)).value;
  const tallies = await rolloutTallies(store.audit, policy, revision, now);
  const length = (hours * 3_600_000) / STEPS;
  const series: RolloutReport['series'][number][] = [];
  for (let step = STEPS; step > 0; step -= 1) {
    const from = new Date(now - step * length).toISOString();
    const to = new Date(now - (step - 1) * length).toISOString();
    series.push({ from, ...(await splitTally(store.audit, policy, revision, { from, to })) });
  }
  return {
    ...{ policy: policy.id, revision: number, state, because, changedAt, rollout, halt },
    spike: halt === null ? null : denialSpike(tallies.staged, [tallies.before, tallies.others], halt),
    now: tallies,
    series,
  };
}
