import type { ReactNode } from 'react';
import { dollars, shortCount, shortDollars } from '../../parts/amounts.js';
import { BarList } from '../../parts/bar-list.js';
import { Card } from '../../parts/card.js';
import type { Series } from '../../parts/charts/time-chart-props.js';
import { TimeChart } from '../../parts/charts/time-chart.js';
import { HostileText } from '../../parts/hostile-text.js';
import { Nothing } from './nothing.js';

const TOKENS: readonly Series[] = [
  { key: 'input', label: 'sent', colour: '--ws-chart-1' },
  { key: 'output', label: 'written', colour: '--ws-chart-4' },
];
const COST: readonly Series[] = [{ key: 'cost', label: 'cost', colour: '--ws-chart-5' }];

interface OverTime {
  readonly series: readonly {
    readonly from: string;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number;
  }[];
  /** Beside the heading. */
  readonly more?: ReactNode;
}

export function TokensCard({ series, more }: OverTime) {
  return (
    <Card title="Tokens" badge={more}>
      {series.every(({ inputTokens, outputTokens }) => inputTokens + outputTokens === 0) ? (
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

export function CostCard({ series, more }: OverTime) {
  return (
    <Card title="Cost" badge={more}>
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

interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
}

interface ModelsProps {
  readonly models: readonly ({ readonly model: string } & Spent)[];
  /** Where one of them is shown in detail. */
  readonly hrefOf: (model: string) => string | null;
}

export function ModelsCard({ models, hrefOf }: ModelsProps) {
  return (
    <Card title="Tokens by model">
      <BarList
        label="Tokens by model"
        bars={models.map(({ model, ...spent }) => ({
          key: model,
          label: <HostileText text={model} />,
          href: hrefOf(model),
          ...amountOf(spent),
        }))}
      />
    </Card>
  );
}

interface TeamsProps {
  readonly teams: readonly ({ readonly team: string | null } & Spent)[];
  readonly hrefOf: (team: string) => string | null;
}

export function TeamsCard({ teams, hrefOf }: TeamsProps) {
  return (
    <Card title="Tokens by team">
      <BarList
        label="Tokens by team"
        bars={teams.map(({ team, ...spent }) => ({
          key: team ?? '',
          label: team === null ? 'of no team' : <HostileText text={team} />,
          href: team === null ? null : hrefOf(team),
          ...amountOf(spent),
        }))}
      />
    </Card>
  );
}

function amountOf({ tokens, costUsd }: Spent) {
  return {
    value: tokens,
    text: shortCount(tokens),
    note: costUsd > 0 ? dollars(costUsd) : undefined,
  };
}
