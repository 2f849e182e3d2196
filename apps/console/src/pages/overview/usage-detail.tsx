import { count, dollars, shortCount, shortDollars } from '../../parts/amounts.js';
import { StatTile, StatTiles } from '../../parts/stat-tile.js';
import { CardGrid, Cell } from './card-grid.js';
import type { UsageFilter, UsageOverTime } from './overview.js';
import { CostCard, ModelsCard, TeamsCard, TokensCard } from './usage-cards.js';

interface Props {
  readonly usage: UsageOverTime;
  readonly narrowedTo: UsageFilter;
  /** As the address has it. */
  readonly hours: string | undefined;
}

export function UsageDetail({ usage, narrowedTo, hours }: Props) {
  const { inputTokens, outputTokens, costUsd, byModel, byTeam, series } = usage;
  const narrowedBy = (filter: UsageFilter): string => {
    const set = { ...(hours === undefined ? {} : { hours }), ...narrowedTo, ...filter };
    return `/overview/usage?${new URLSearchParams(set).toString()}`;
  };
  const priced = costUsd > 0;
  return (
    <>
      <StatTiles>
        <StatTile
          label="Sent"
          value={shortCount(inputTokens)}
          note={`${count(inputTokens)} tokens`}
          href={null}
        />
        <StatTile
          label="Written"
          value={shortCount(outputTokens)}
          note={`${count(outputTokens)} tokens`}
          href={null}
        />
        <StatTile
          label="Cost"
          value={priced ? shortDollars(costUsd) : '–'}
          note={priced ? dollars(costUsd) : 'no price known'}
          href={null}
        />
      </StatTiles>
      <CardGrid>
        <Cell size={priced ? 'half' : 'whole'}>
          <TokensCard series={series} />
        </Cell>
        {priced ? (
          <Cell size="half">
            <CostCard series={series} />
          </Cell>
        ) : null}
        {byModel.length === 0 ? null : (
          <>
            <Cell size="half">
              <ModelsCard models={byModel} hrefOf={(model) => narrowedBy({ model })} />
            </Cell>
            <Cell size="half">
              <TeamsCard teams={byTeam} hrefOf={(team) => narrowedBy({ team })} />
            </Cell>
          </>
        )}
      </CardGrid>
    </>
  );
}
