import { NativeSelect } from '@mantine/core';
import type { FilterName } from './audit.js';

const HOUR_MS = 3_600_000;
const RANGES = [
  { value: '', label: 'Any time', ms: 0 },
  { value: '1', label: 'Last hour', ms: HOUR_MS },
  { value: '24', label: 'Last 24 hours', ms: 24 * HOUR_MS },
  { value: '168', label: 'Last 7 days', ms: 168 * HOUR_MS },
  { value: '720', label: 'Last 30 days', ms: 720 * HOUR_MS },
] as const;
const GIVEN = 'given';

interface Props {
  readonly from: string | null;
  readonly to: string | null;
  readonly onFilter: (name: FilterName, value: string | null) => void;
}

/** Since when. What the address names otherwise (a link from a chart) is shown as it is. */
export function TimeRange({ from, to, onFilter }: Props) {
  const given = from !== null || to !== null;
  const data = RANGES.map(({ value, label }) => ({ value, label: label }));
  return (
    <NativeSelect
      label="Time"
      data={given ? [{ value: GIVEN, label: words(from, to) }, ...data] : data}
      value={given ? GIVEN : ''}
      onChange={({ currentTarget: { value } }) => {
        if (value === GIVEN) return;
        const ms = RANGES.find((range) => range.value === value)?.ms ?? 0;
        onFilter('to', null);
        onFilter('from', ms === 0 ? null : new Date(Date.now() - ms).toISOString());
      }}
    />
  );
}

export function words(from: string | null, to: string | null): string {
  const shown = (at: string): string =>
    new Date(at).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' });
  if (from === null) return to === null ? 'Any time' : `Until ${shown(to)}`;
  return to === null ? `Since ${shown(from)}` : `${shown(from)} – ${shown(to)}`;
}
