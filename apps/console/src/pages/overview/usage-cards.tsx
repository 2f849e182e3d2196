import { dollars, shortCount, shortDollars } from '../../parts/amounts.js';
import { BarList } from '../../parts/bar-list.js';
import { Card } from '../../parts/card.js';
import type { Series } from '../../parts/charts/time-chart-props.js';
import { TimeChart } from '../../parts/charts/time-chart.js';
import { HostileText } from '../../parts/hostile-text.js';
import type { CardProps } from './sources.js';
import { Nothing } from './nothing.js';

const TOKENS: readonly Series[] = [
  { key: 'input', label: 'sent', colour: '--ws-chart-1' },
  { key: 'output', label: 'written', colour: '--ws-chart-4' },
];
const COST: readonly Series[] = [{ key: 'cost', label: 'cost', colour: '--ws-chart-5' }];

export function TokensCard({ overview: { usage, series } }: CardProps) {
  return (
    <Card title="Tokens">
      {usage.inputTokens + usage.outputTokens === 0 ? (
        <Nothing>No command line has reported what its model used in this time.</Nothing>
      ) : (
        <TimeChart
          title="Tokens"
          kind="columns"
          series={TOKENS}
          points={series.map(({ from, inputTokens, outputTokens }) => ({
            at: from,
            values: { input: inputTokens, output: outputTokens },
          }))}
        />
      )}
    </Card>
  );
}

export function CostCard({ overview: { series } }: CardProps) {
  return (
    <Card title="Cost">
      <TimeChart
        title="Cost in dollars"
        kind="columns"
        series={COST}
        points={series.map(({ from, costUsd }) => ({ at: from, values: { cost: costUsd } }))}
        format={shortDollars}
      />
    </Card>
  );
}

export function ModelsCard({ overview: { usage } }: CardProps) {
  return (
    <Card title="Tokens by model">
      <BarList
        label="Tokens by model"
        bars={usage.byModel.map(({ model, ...spent }) => ({
          key: model,
          label: <HostileText text={model} />,
          href: null,
          ...amountOf(spent),
        }))}
      />
    </Card>
  );
}

export function TeamsCard({ overview: { usage }, sources }: CardProps) {
  return (
    <Card title="Tokens by team">
      <BarList
        label="Tokens by team"
        bars={usage.byTeam.map(({ team, ...spent }) => ({
          key: team ?? '',
          label: team === null ? 'of no team' : <HostileText text={team} />,
          href: team === null ? null : sources.audit({ kind: 'decision', team }),
          ...amountOf(spent),
        }))}
      />
    </Card>
  );
}

function amountOf({ tokens, costUsd }: { readonly tokens: number; readonly costUsd: number }) {
  return {
    value: tokens,
    text: shortCount(tokens),
    note: costUsd > 0 ? dollars(costUsd) : undefined,
  };
}
