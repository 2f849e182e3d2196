import { SegmentedControl } from '@mantine/core';

const REASONS = [
  { value: '', label: 'All machines' },
  { value: 'behind', label: 'Behind' },
  { value: 'silent', label: 'Silent' },
  { value: 'stale', label: 'Stale' },
  { value: 'expired', label: 'Expired' },
  { value: 'undetermined', label: 'Undetermined' },
];

interface Props {
  readonly chosen: string | null;
  readonly onChoose: (reason: string | null) => void;
}

/** All, or those that are not as they should be. */
export function ReasonFilter({ chosen, onChoose }: Props) {
  return (
    <SegmentedControl
      orientation="vertical"
      fullWidth
      aria-label="Which machines"
      data={REASONS}
      value={chosen ?? ''}
      onChange={(reason) => onChoose(reason === '' ? null : reason)}
    />
  );
}
