import { VERDICTS, type Verdict } from '@wrongstack/contracts';
import type { AuditCount, AuditFilter, ControlStore } from '@wrongstack/contracts/control';
import { type ActivityOverview, type Used, activityOf } from './activity-totals.js';

const HOUR_MS = 3_600_000;
const MOST_SHOWN = 10;
const MOST_GROUPS = 1_000;
/** As many steps as a chart can show, and the store is asked for, beside the one that has just begun. */
const MOST_STEPS = 48;
/** All of them divide a day, so that steps begin at the same times each day. */
const STEPS_HOURS = [1, 2, 3, 4, 6, 8, 12, 24] as const;

type Verdicts = Readonly<Record<Verdict, number>>;

export interface Overview extends Pick<ActivityOverview, 'prompts' | 'usage'> {
  readonly from: string;
  readonly to: string;
  /** Decided calls by verdict. */
  readonly calls: Verdicts & { readonly total: number };
  /** How often somebody was asked and an answer was recorded, here or at a prompt. */
  readonly answers: number;
  readonly approvals: Readonly<Record<string, number>>;
  readonly fleet: { readonly machines: number; readonly states: Readonly<Record<string, number>> };
  readonly topDenyingRules: readonly {
    readonly rule: string;
    readonly document: string | null;
    readonly count: number;
  }[];
  readonly topTools: readonly { readonly tool: string; readonly count: number; readonly denied: number }[];
  /** Oldest first. */
  readonly series: readonly ({ readonly from: string; readonly answers: number } & Verdicts & Used)[];
}

/** What happened in the last hours and in the step before them that they began in, from what the store can count. `at`: now, ISO 8601. */
export async function overviewOf(
  { audit, approvals, fleet, activity }: Pick<ControlStore, 'audit' | 'approvals' | 'fleet' | 'activity'>,
  hours: number,
  at: string,
): Promise<Overview> {
  const bounds = stepsOf(hours, Date.parse(at));
  const [from = 0] = bounds;
  const window = { from: new Date(from).toISOString(), to: at };
  const denied = { kind: 'decision', ...window, verdict: 'deny' } as const;
  const denying = await audit.counts(denied, ['rule', 'document'], MOST_SHOWN + 1);
  const states = await fleet.counts('policyState', {});
  const { prompts, usage: used, steps: usedInSteps } = await activityOf(activity, bounds);
  const series: Overview['series'][number][] = [];
  for (const [step, used] of usedInSteps.entries()) {
    const begins = new Date(bounds[step] ?? from).toISOString();
    const ends = new Date(bounds[step + 1] ?? from).toISOString();
    series.push({ from: begins, ...(await happenedIn(audit, { from: begins, to: ends })), ...used });
  }
  const sum = (of: Verdict | 'answers'): number => series.reduce((all, step) => all + step[of], 0);
  const calls = { allow: sum('allow'), confirm: sum('confirm'), approve: sum('approve'), deny: sum('deny') };
  return {
    ...window,
    calls: { ...calls, total: VERDICTS.reduce((all, verdict) => all + calls[verdict], 0) },
    answers: sum('answers'),
    prompts,
    usage: used,
    approvals: await approvals.counts(at),
    fleet: {
      machines: states.reduce((all, { count }) => all + count, 0),
      states: Object.fromEntries(states.map(({ value, count }) => [value ?? 'none', count])),
    },
    topDenyingRules: denying
      .flatMap(({ by: { rule, document }, count }) =>
        typeof rule === 'string'
          ? [{ rule, document: typeof document === 'string' ? document : null, count }]
          : [],
      )
      .slice(0, MOST_SHOWN),
    topTools: toolsIn(await audit.counts({ kind: 'decision', ...window }, ['tool', 'verdict'], MOST_GROUPS)),
    series,
  };
}

/** Where steps begin, at whole hours of UTC, and behind the last of them now: that one is not over yet. */
export function stepsOf(hours: number, now: number): readonly number[] {
  const length = HOUR_MS * (STEPS_HOURS.find((step) => hours <= step * MOST_STEPS) ?? 24);
  const from = Math.floor((now - hours * HOUR_MS) / length) * length;
  const whole = Math.ceil((now - from) / length);
  return [...Array.from({ length: whole }, (_, step) => from + step * length), now];
}

async function happenedIn(
  audit: ControlStore['audit'],
  window: AuditFilter,
): Promise<Verdicts & { readonly answers: number }> {
  const counts = await audit.counts(window, ['kind', 'verdict'], MOST_GROUPS);
  const of = (kind: string, verdict?: Verdict): number =>
    counts
      .filter(({ by }) => by.kind === kind && (verdict === undefined || by.verdict === verdict))
      .reduce((all, { count }) => all + count, 0);
  const decided = (verdict: Verdict): number => of('decision', verdict);
  return {
    ...{ allow: decided('allow'), confirm: decided('confirm') },
    ...{ approve: decided('approve'), deny: decided('deny') },
    answers: of('approval'),
  };
}

function toolsIn(counts: readonly AuditCount[]): Overview['topTools'] {
  const tools = new Map<string, { readonly count: number; readonly denied: number }>();
  for (const { by, count } of counts) {
    if (typeof by.tool !== 'string') continue;
    const known = tools.get(by.tool) ?? { count: 0, denied: 0 };
    const denied = known.denied + (by.verdict === 'deny' ? count : 0);
    tools.set(by.tool, { count: known.count + count, denied });
  }
  return [...tools]
    .map(([tool, one]) => ({ tool, ...one }))
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_SHOWN);
}
