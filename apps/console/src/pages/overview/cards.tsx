import type { ReactNode } from 'react';
import { ApprovalsCard } from './approvals-card.js';
import { CallsCard } from './calls-card.js';
import classes from './cards.module.css';
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
  const { inputTokens, outputTokens, costUsd } = overview.usage;
  const used = inputTokens + outputTokens > 0;
  const small = used ? 'quarter' : 'half';
  return (
    <div className={classes['room']}>
      <div className={classes['cards']}>
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
          <TokensCard {...props} />
        </Cell>
        {costUsd > 0 ? (
          <Cell size="half">
            <CostCard {...props} />
          </Cell>
        ) : null}
        <Cell size={small}>
          <ToolsCard {...props} />
        </Cell>
        {used ? (
          <>
            <Cell size={small}>
              <ModelsCard {...props} />
            </Cell>
            <Cell size={small}>
              <TeamsCard {...props} />
            </Cell>
          </>
        ) : null}
        <Cell size={small}>
          <MachinesCard {...props} />
        </Cell>
      </div>
    </div>
  );
}

/** How much of the width a card takes, where there is enough of it. */
type Size = 'whole' | 'main' | 'side' | 'half' | 'quarter';

function Cell({ size, children }: { readonly size: Size; readonly children: ReactNode }) {
  return (
    <div className={classes['cell']} data-size={size}>
      {children}
    </div>
  );
}
