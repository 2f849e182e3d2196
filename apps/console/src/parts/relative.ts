const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
let format: Intl.RelativeTimeFormat | null = null;

/** In words, from the clock that is given. */
export function relative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  format ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  // Clocks of two machines are never quite the same.
  if (Math.abs(seconds) < 10) return 'just now';
  return format.format(seconds, 'second');
}
