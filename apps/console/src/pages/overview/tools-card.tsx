import { count, percent } from '../../parts/amounts.js';
import { BarList } from '../../parts/bar-list.js';
import { Card } from '../../parts/card.js';
import { HostileText } from '../../parts/hostile-text.js';
import type { CardProps } from './sources.js';
import { Nothing } from './nothing.js';

export function ToolsCard({ overview: { topTools }, sources }: CardProps) {
  return (
    <Card title="Tools used most">
      {topTools.length === 0 ? (
        <Nothing>No tool was called in this time.</Nothing>
      ) : (
        <BarList
          label="Tools used most"
          bars={topTools.map(({ tool, count: calls, denied }) => ({
            key: tool,
            label: <HostileText text={tool} />,
            value: calls,
            text: count(calls),
            note: denied === 0 ? undefined : `${percent(denied, calls)} denied`,
            href: sources.audit({ kind: 'decision', tool }),
          }))}
        />
      )}
    </Card>
  );
}
