import { useLocation } from 'wouter';
import { Card } from '../../parts/card.js';
import type { Series } from '../../parts/charts/time-chart-props.js';
import { TimeChart } from '../../parts/charts/time-chart.js';
import { MoreLink } from '../../parts/more-link.js';
import type { CardProps } from './sources.js';
import { Nothing } from './nothing.js';

const VERDICTS: readonly Series[] = [
  { key: 'allow', label: 'allow', colour: '--ws-chart-5' },
  { key: 'confirm', label: 'confirm', colour: '--ws-chart-3' },
  { key: 'approve', label: 'approve', colour: '--ws-chart-4' },
  { key: 'deny', label: 'deny', colour: '--ws-chart-2' },
];

export function CallsCard({ overview: { calls, series }, sources }: CardProps) {
  const [, navigate] = useLocation();
  return (
    <Card
      title="Calls by verdict"
      badge={<MoreLink href={sources.audit({ kind: 'decision' })}>Audit log</MoreLink>}
    >
      {calls.total === 0 ? (
        <Nothing>No call was decided in this time.</Nothing>
      ) : (
        <TimeChart
          title="Calls by verdict"
          kind="columns"
          height={260}
          series={VERDICTS}
          points={series.map(({ from, allow, confirm, approve, deny }) => ({
            at: from,
            values: { allow, confirm, approve, deny },
          }))}
          onChoose={(step) => {
            const href = sources.audit({ kind: 'decision' }, step);
            if (href !== null) navigate(href);
          }}
        />
      )}
    </Card>
  );
}
