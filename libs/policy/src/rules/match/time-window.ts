import type { RuleWhen } from '../../documents/policy-document.js';

/** Is this moment (ms since 1970) inside the window? */
export type MomentTest = (moment: number) => boolean;

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FULL_DAY = 24 * 60;

/**
 * A window on the wall clock of a time zone: `from` counts, `to` does not; one that ends before it starts runs past
 * midnight and belongs to the day on which it started. Wall clock, so a change to or from summer time needs no rule of
 * its own. Returns a sentence where zone, day or time is invalid.
 */
export function compileTimeWindow(window: NonNullable<RuleWhen['time']>): MomentTest | string {
  const from = minutesOf(window.from ?? '00:00');
  const to = window.to === undefined ? FULL_DAY : minutesOf(window.to);
  if (from === null || to === null) return 'from and to are times of day, 00:00 to 24:00';
  const unknownDay = window.days?.find((day) => !DAYS.includes(day));
  if (unknownDay !== undefined) return `"${unknownDay}" is no day: use mon tue wed thu fri sat sun`;
  const wallClock = wallClockOf(window.tz);
  if (wallClock === null)
    return `"${window.tz}" is no time zone known here: use an IANA name, as in Europe/Berlin`;
  const days = window.days === undefined ? null : new Set(window.days.map((day) => DAYS.indexOf(day)));
  const onDay = (day: number): boolean => days === null || days.has((day + 7) % 7);

  return (moment) => {
    const { day, minutes } = wallClock(moment);
    if (from < to) return onDay(day) && minutes >= from && minutes < to;
    return (onDay(day) && minutes >= from) || (onDay(day - 1) && minutes < to);
  };
}

function minutesOf(time: string): number | null {
  const match = /^(\d\d):(\d\d)$/.exec(time);
  const minutes = match === null ? NaN : Number(match[1]) * 60 + Number(match[2]);
  return Number(match?.[2]) < 60 && minutes <= FULL_DAY ? minutes : null;
}

function wallClockOf(tz: string): ((moment: number) => { day: number; minutes: number }) | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: tz,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    return null;
  }
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map((part) => [part.type, part.value]));
    const weekday = (parts.get('weekday') ?? '').toLowerCase();
    return {
      day: DAYS.indexOf(weekday),
      minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    };
  };
}
