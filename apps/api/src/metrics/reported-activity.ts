import { plainText, type ActivityCount } from '@wrongstack/contracts/control';
import type { ReportedCounter } from '@wrongstack/contracts/wire';

const MICROS = 1_000_000;

type Measured = (delta: ReportedCounter) => Pick<ActivityCount, 'measure' | 'detail' | 'model' | 'amount'>;

/** Which counters of command lines are kept by the hour, for the overview. The others are for Prometheus alone. */
const KEPT: Readonly<Record<string, Measured>> = {
  wrongstack_prompts_total: ({ value }) => ({
    measure: 'prompts',
    detail: '',
    model: null,
    amount: Math.round(value),
  }),
  wrongstack_prompt_answers_total: ({ labels, value }) => ({
    measure: 'answers',
    detail: plainText(labels['answer'] ?? ''),
    model: null,
    amount: Math.round(value),
  }),
  wrongstack_model_tokens_total: ({ labels, value }) => ({
    measure: 'tokens',
    detail: plainText(labels['kind'] ?? ''),
    model: plainText(labels['model'] ?? ''),
    amount: Math.round(value),
  }),
  wrongstack_model_cost_dollars_total: ({ labels, value }) => ({
    measure: 'costMicros',
    detail: '',
    model: plainText(labels['model'] ?? ''),
    amount: Math.round(value * MICROS),
  }),
};

/** What a report says that happened, as of now: a command line that was offline says it late. `at`: ISO 8601. */
export function activityIn(
  counters: readonly ReportedCounter[],
  team: string | null,
  at: string,
): readonly ActivityCount[] {
  const hour = `${at.slice(0, 13)}:00:00.000Z`;
  return counters.flatMap((delta) => {
    const measured = Object.hasOwn(KEPT, delta.name) ? KEPT[delta.name]?.(delta) : undefined;
    return measured === undefined || measured.amount === 0 ? [] : [{ hour, team, ...measured }];
  });
}
