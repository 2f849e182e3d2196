const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const CENTS = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const FRACTIONS = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});
const WHOLE_DOLLARS = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const SHORT_DOLLARS = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
/** From here on nobody reads every digit. */
const LONG = 100_000;

/** Every digit: `12,345`. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** As much as fits a tile or the edge of a chart: `12,345`, `1.2M`. */
export function shortCount(value: number): string {
  return Math.abs(value) < LONG ? count(value) : COMPACT.format(value);
}

/** `$12.30`; what is less than a cent is not nothing: `$0.0042`. */
export function dollars(value: number): string {
  return value > 0 && value < 0.01 ? FRACTIONS.format(value) : CENTS.format(value);
}

/** As much as fits a tile: `$12.30`, `$1,234`, `$12.3K`. */
export function shortDollars(value: number): string {
  if (value < 100) return dollars(value);
  return (value < 10_000 ? WHOLE_DOLLARS : SHORT_DOLLARS).format(value);
}

/** `9%`; never none of something, or all where something is missing. Empty where there is nothing to be a part of. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '';
  const share = (100 * part) / whole;
  if (part > 0 && share < 1) return '<1%';
  if (part < whole && share > 99) return '>99%';
  return `${Math.round(share)}%`;
}
