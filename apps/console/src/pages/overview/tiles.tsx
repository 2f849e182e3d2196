import { count, percent, shortCount, shortDollars } from '../../parts/amounts.js';
import { SparkLine } from '../../parts/charts/spark-line.js';
import { StatTile, StatTiles } from '../../parts/stat-tile.js';
import { fatigueOf } from './fatigue.js';
import { machinesIn } from './machines.js';
import type { Overview } from './overview.js';
import { type CardProps, useSources } from './sources.js';

/** Without the step that has just begun: it would look like a fall. */
function whole(overview: Overview, of: (step: Overview['series'][number]) => number): readonly number[] {
  return overview.series.slice(0, -1).map(of);
}

export function Tiles({ overview }: { readonly overview: Overview }) {
  const sources = useSources(overview);
  const props = { overview, sources };
  return (
    <StatTiles>
      <Calls {...props} />
      <Denied {...props} />
      <Asked {...props} />
      <Waiting {...props} />
      <Spent {...props} />
      <Machines {...props} />
    </StatTiles>
  );
}

function Calls({ overview, sources }: CardProps) {
  const { calls } = overview;
  return (
    <StatTile
      label="Calls"
      value={shortCount(calls.total)}
      note={calls.total === 0 ? 'none was decided' : `${percent(calls.allow, calls.total)} ran unasked`}
      href={sources.audit({ kind: 'decision' })}
    >
      <SparkLine
        values={whole(overview, ({ allow, confirm, approve, deny }) => allow + confirm + approve + deny)}
        colour="--ws-chart-1"
      />
    </StatTile>
  );
}

function Denied({ overview, sources }: CardProps) {
  const { calls } = overview;
  return (
    <StatTile
      label="Denied"
      value={shortCount(calls.deny)}
      note={calls.deny === 0 ? 'no call was stopped' : `${percent(calls.deny, calls.total)} of all calls`}
      href={sources.audit({ kind: 'decision', verdict: 'deny' })}
    >
      <SparkLine values={whole(overview, ({ deny }) => deny)} colour="--ws-chart-2" />
    </StatTile>
  );
}

function Asked({ overview, sources }: CardProps) {
  const { prompts } = overview;
  const { yes, answered, tiring } = fatigueOf(prompts);
  return (
    <StatTile
      label="Prompts"
      value={shortCount(prompts.asked)}
      note={answered === 0 ? 'shown at a keyboard' : `${percent(yes, answered)} answered yes`}
      href={sources.audit({ kind: 'approval' })}
      alarming={tiring}
    >
      <SparkLine values={whole(overview, (step) => step.prompts)} colour="--ws-chart-3" />
    </StatTile>
  );
}

function Waiting({ overview: { approvals }, sources }: CardProps) {
  const waiting = approvals.pending ?? 0;
  return (
    <StatTile
      label="Approvals"
      value={count(waiting)}
      note={waiting === 0 ? 'nobody waits for one' : 'waiting for an answer now'}
      href={sources.approvals('waiting')}
    />
  );
}

function Spent({ overview, sources }: CardProps) {
  const { usage } = overview;
  const tokens = usage.inputTokens + usage.outputTokens;
  const priced = usage.costUsd > 0;
  return (
    <StatTile
      label={priced ? 'Cost' : 'Tokens'}
      value={priced ? shortDollars(usage.costUsd) : shortCount(tokens)}
      note={priced ? `for ${shortCount(tokens)} tokens` : tokens === 0 ? 'none reported' : 'no price known'}
      href={sources.usage()}
    >
      <SparkLine
        values={whole(overview, ({ costUsd, inputTokens, outputTokens }) =>
          priced ? costUsd : inputTokens + outputTokens,
        )}
        colour="--ws-chart-5"
      />
    </StatTile>
  );
}

function Machines({ overview: { fleet }, sources }: CardProps) {
  const { amiss } = machinesIn(fleet);
  return (
    <StatTile
      label="Machines"
      value={count(fleet.machines)}
      note={
        fleet.machines === 0
          ? 'none enrolled'
          : amiss === 0
            ? 'all have fresh policies'
            : `${count(amiss)} without fresh policies`
      }
      href={sources.fleet()}
      alarming={amiss > 0}
    />
  );
}
