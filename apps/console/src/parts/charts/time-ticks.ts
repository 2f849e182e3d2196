import type { Point } from './time-chart-props.js';

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const MOMENT = new Intl.DateTimeFormat(undefined, {
  ...{ weekday: 'short', day: 'numeric', month: 'short' },
  ...{ hour: '2-digit', minute: '2-digit' },
});
const DAY_MS = 86_400_000;

export interface TimeTicks {
  /** Those points that a word below the axis may stand for. */
  readonly at: readonly string[];
  readonly word: (at: string) => string;
}

/** Hours below a chart of a day or two; below a longer one each day once, where it begins. */
export function timeTicks(points: readonly Point[]): TimeTicks {
  const at = points.map((point) => point.at);
  const span = Date.parse(at.at(-1) ?? '') - Date.parse(at[0] ?? '');
  if (!(span > 2 * DAY_MS)) return { at, word: (one) => HOUR.format(new Date(one)) };
  const day = (one: string): string => new Date(one).toDateString();
  return {
    // The first point is seldom the beginning of its day.
    at: at.filter((one, index) => index > 0 && day(one) !== day(at[index - 1] ?? one)),
    word: (one) => DAY.format(new Date(one)),
  };
}

/** `Tue 1 Dec, 13:00`, in the words of whoever looks. */
export function moment(at: string): string {
  return MOMENT.format(new Date(at));
}
