import { Facet } from '../../parts/facets.js';

const WORDS = {
  behind: 'Behind',
  silent: 'Silent',
  stale: 'Policy stale',
  expired: 'Policy expired',
  undetermined: 'Policy undetermined',
  clock: 'Clock off',
};
const VALUES = Object.keys(WORDS).map((value) => ({ value, count: null }));

interface Props {
  readonly chosen: string | null;
  readonly onChoose: (reason: string | null) => void;
}

/** All, or those that are not as they should be for one reason. */
export function ReasonFilter(props: Props) {
  return <Facet title="Not as it should be" values={VALUES} words={WORDS} {...props} />;
}
