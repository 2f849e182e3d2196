import { useFilters } from '../../parts/use-filters.js';
import { useMay } from '../../session/use-session.js';
import type { Overview } from './overview.js';

const HOURS = ['hours'] as const;

type Narrowed = Readonly<Record<string, string>>;

/** Where figures come from, as addresses; null where the roles do not open that page. */
export interface Sources {
  /** The audit log since the overview began, or within one step of it. */
  readonly audit: (narrowed: Narrowed, step?: string) => string | null;
  readonly approvals: (show: string) => string | null;
  readonly fleet: (state?: string) => string | null;
  readonly policies: (policy?: string) => string | null;
  /** Tokens and cost in detail, as far back as the overview. */
  readonly usage: (narrowed?: Narrowed) => string;
}

/** What every block of the page is made from. */
export interface CardProps {
  readonly overview: Overview;
  readonly sources: Sources;
}

export function useSources({ from, to, series }: Overview): Sources {
  const may = useMay();
  const [{ hours }] = useFilters(HOURS);
  const search = (page: string, narrowed: Narrowed): string =>
    `${page}?${new URLSearchParams(narrowed).toString()}`;
  const within = (step: string): Narrowed => {
    const next = series[series.findIndex((one) => one.from === step) + 1]?.from ?? to;
    return { from: step, to: next };
  };
  return {
    audit: (narrowed, step) =>
      may('read:Audit')
        ? search('/audit', { ...narrowed, ...(step === undefined ? { from } : within(step)) })
        : null,
    approvals: (show) => (may('read:Approval') ? search('/approvals', { show }) : null),
    fleet: (state) => (state === undefined ? '/fleet' : search('/fleet', { state })),
    usage: (narrowed = {}) =>
      search('/overview/usage', { ...(hours === undefined ? {} : { hours }), ...narrowed }),
    policies: (policy) =>
      may('read:Policy') ? `/policies${policy === undefined ? '' : `/${encodeURIComponent(policy)}`}` : null,
  };
}
