import { MoreLink } from '../../parts/more-link.js';
import { ApprovalsCard } from './approvals-card.js';
import { CallsCard } from './calls-card.js';
import { CardGrid, Cell } from './card-grid.js';
import { MachinesCard } from './machines-card.js';
import type { Overview } from './overview.js';
import { PromptsCard } from './prompts-card.js';
import { RulesCard } from './rules-card.js';
import { useSources } from './sources.js';
import { ToolsCard } from './tools-card.js';
import { CostCard, ModelsCard, TeamsCard, TokensCard } from './usage-cards.js';

export function Cards({ overview }: { readonly overview: Overview }) {
  const sources = useSources(overview);
  const props = { overview, sources };
  const { inputTokens, outputTokens, costUsd, byModel, byTeam } = overview.usage;
  const overTime = { series: overview.series, more: <MoreLink href={sources.usage()}>Detail</MoreLink> };
  const used = inputTokens + outputTokens > 0;
  const small = used ? 'quarter' : 'half';
  return (
    <CardGrid>
      <Cell size="main">
        <CallsCard {...props} />
      </Cell>
      <Cell size="side">
        <RulesCard {...props} />
      </Cell>
      <Cell size="main">
        <PromptsCard {...props} />
      </Cell>
      <Cell size="side">
        <ApprovalsCard {...props} />
      </Cell>
      <Cell size={costUsd > 0 ? 'half' : 'whole'}>
        <TokensCard {...overTime} />
      </Cell>
      {costUsd > 0 ? (
        <Cell size="half">
          <CostCard {...overTime} />
        </Cell>
      ) : null}
      <Cell size={small}>
        <ToolsCard {...props} />
      </Cell>
      {used ? (
        <>
          <Cell size={small}>
            <ModelsCard models={byModel} hrefOf={(model) => sources.usage({ model })} />
          </Cell>
          <Cell size={small}>
            <TeamsCard teams={byTeam} hrefOf={(team) => sources.usage({ team })} />
          </Cell>
        </>
      ) : null}
      <Cell size={small}>
        <MachinesCard {...props} />
      </Cell>
    </CardGrid>
  );
}
