import type { ActivityStore, ActivityTotal } from '@wrongstack/contracts/control';

const MOST_SHOWN = 20;
const MICROS = 1_000_000;

/** In one step of a chart, or altogether. */
export interface Used {
  readonly prompts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** What models used: altogether, and who and what used it. */
export interface Usage extends Omit<Used, 'prompts'> {
  readonly byModel: readonly ({ readonly model: string } & Spent)[];
  readonly byTeam: readonly ({ readonly team: string | null } & Spent)[];
}

export interface ActivityOverview {
  readonly prompts: {
    readonly asked: number;
    readonly byAnswer: readonly { readonly answer: string; readonly count: number }[];
  };
  readonly usage: Usage;
  /** By the start of each step. */
  readonly steps: readonly Used[];
}

interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
}

/** What was used in these steps (starts in milliseconds, at whole hours, ascending, the end last). */
export async function activityOf(
  activity: ActivityStore,
  bounds: readonly number[],
): Promise<ActivityOverview> {
  const [first = 0] = bounds;
  const window = { from: new Date(first).toISOString(), to: new Date(bounds.at(-1) ?? first).toISOString() };
  const measured = await activity.totals(window, ['hour', 'measure', 'detail']);
  const models = await activity.totals(window, ['model', 'measure']);
  const teams = await activity.totals(window, ['team', 'measure']);
  const whole = usedIn(measured);
  return {
    prompts: { asked: whole.prompts, byAnswer: answersIn(measured) },
    usage: usageIn(measured, models, teams),
    steps: bounds.slice(0, -1).map((from, step) => {
      const to = bounds[step + 1] ?? from;
      return usedIn(
        measured.filter(({ hour = '' }) => {
          const at = Date.parse(hour);
          return at >= from && at < to;
        }),
      );
    }),
  };
}

/** Of the same time, grouped by what each is used for here. */
export function usageIn(
  measured: readonly ActivityTotal[],
  models: readonly ActivityTotal[],
  teams: readonly ActivityTotal[],
): Usage {
  const { inputTokens, outputTokens, costUsd } = usedIn(measured);
  return {
    ...{ inputTokens, outputTokens, costUsd },
    byModel: spentBy(models, ({ model }) => model ?? null).flatMap(({ key, ...spent }) =>
      key === null ? [] : [{ model: key, ...spent }],
    ),
    byTeam: spentBy(teams, ({ team }) => team ?? null).map(({ key, ...spent }) => ({ team: key, ...spent })),
  };
}

export function usedIn(totals: readonly ActivityTotal[]): Used {
  const sum = (measure: ActivityTotal['measure'], details?: readonly string[]): number =>
    totals
      .filter((one) => one.measure === measure && (details?.includes(one.detail ?? '') ?? true))
      .reduce((all, { amount }) => all + amount, 0);
  return {
    prompts: sum('prompts'),
    // What a cache held was sent as well.
    inputTokens: sum('tokens', ['input', 'cache_read', 'cache_write']),
    outputTokens: sum('tokens', ['output']),
    costUsd: sum('costMicros') / MICROS,
  };
}

function answersIn(totals: readonly ActivityTotal[]): { readonly answer: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { measure, detail = '', amount } of totals)
    if (measure === 'answers') counts.set(detail, amount + (counts.get(detail) ?? 0));
  return [...counts]
    .map(([answer, count]) => ({ answer, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_SHOWN);
}

function spentBy(
  totals: readonly ActivityTotal[],
  keyOf: (total: ActivityTotal) => string | null,
): ({ readonly key: string | null } & Spent)[] {
  const spent = new Map<string | null, Spent>();
  for (const total of totals) {
    const { measure, amount } = total;
    if (measure !== 'tokens' && measure !== 'costMicros') continue;
    const { tokens, costUsd } = spent.get(keyOf(total)) ?? { tokens: 0, costUsd: 0 };
    spent.set(
      keyOf(total),
      measure === 'tokens'
        ? { tokens: tokens + amount, costUsd }
        : { tokens, costUsd: costUsd + amount / MICROS },
    );
  }
  return [...spent]
    .map(([key, one]) => ({ key, ...one }))
    .sort((one, other) => other.tokens - one.tokens)
    .slice(0, MOST_SHOWN);
}
