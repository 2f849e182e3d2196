import { VERDICTS, type Verdict } from '@wrongstack/contracts';
import type { ControlStore } from '@wrongstack/contracts/control';

const HOUR_MS = 3_600_000;
const MOST_RULES = 10;
/** As many steps as a chart can show, and the store is asked for. */
const MOST_STEPS = 48;

type Verdicts = Readonly<Record<Verdict, number>>;

export interface Overview {
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
  /** Oldest first. */
  readonly series: readonly ({ readonly from: string } & Verdicts)[];
}

/** What happened in the last hours, from what the store can count. `at`: now, ISO 8601. */
export async function overviewOf(
  { audit, approvals, fleet }: Pick<ControlStore, 'audit' | 'approvals' | 'fleet'>,
  hours: number,
  at: string,
): Promise<Overview> {
  const to = Date.parse(at);
  const from = to - hours * HOUR_MS;
  const window = { from: new Date(from).toISOString(), to: at };
  const decisions = { kind: 'decision', ...window } as const;
  const calls = await verdictsIn(audit, decisions);
  const denying = await audit.counts({ ...decisions, verdict: 'deny' }, ['rule', 'document'], MOST_RULES + 1);
  const [answers] = await audit.counts({ kind: 'approval', ...window }, [], 1);
  const states = await fleet.counts('policyState', {});
  return {
    ...window,
    calls: { ...calls, total: VERDICTS.reduce((sum, verdict) => sum + calls[verdict], 0) },
    answers: answers?.count ?? 0,
    approvals: await approvals.counts(at),
    fleet: {
      machines: states.reduce((sum, { count }) => sum + count, 0),
      states: Object.fromEntries(states.map(({ value, count }) => [value ?? 'none', count])),
    },
    topDenyingRules: denying
      .flatMap(({ by: { rule, document }, count }) =>
        typeof rule === 'string'
          ? [{ rule, document: typeof document === 'string' ? document : null, count }]
          : [],
      )
      .slice(0, MOST_RULES),
    series: await seriesOf(audit, from, to, hours),
  };
}

async function seriesOf(
  audit: ControlStore['audit'],
  from: number,
  to: number,
  hours: number,
): Promise<Overview['series']> {
  const steps = Math.min(MOST_STEPS, hours);
  const length = (to - from) / steps;
  const series: ({ readonly from: string } & Verdicts)[] = [];
  for (let step = 0; step < steps; step += 1) {
    const begins = new Date(from + step * length).toISOString();
    const ends = new Date(from + (step + 1) * length).toISOString();
    series.push({ from: begins, ...(await verdictsIn(audit, { kind: 'decision', from: begins, to: ends })) });
  }
  return series;
}

async function verdictsIn(
  audit: ControlStore['audit'],
  filter: { readonly kind: 'decision'; readonly from: string; readonly to: string },
): Promise<Verdicts> {
  const counts = await audit.counts(filter, ['verdict'], VERDICTS.length + 1);
  const of = (verdict: Verdict): number => counts.find(({ by }) => by.verdict === verdict)?.count ?? 0;
  return { allow: of('allow'), confirm: of('confirm'), approve: of('approve'), deny: of('deny') };
}
