import { count } from '../../parts/amounts.js';
import { BarList } from '../../parts/bar-list.js';
import { Card } from '../../parts/card.js';
import { MoreLink } from '../../parts/more-link.js';
import { Badge } from '../../parts/verdict-badge.js';
import type { CardProps } from './sources.js';
import { type MachineState, machinesIn } from './machines.js';
import { Nothing } from './nothing.js';

const WORDS: Readonly<Record<MachineState, Parameters<typeof Badge>[0]>> = {
  fresh: { tone: 'allow', mark: 'check', children: 'fresh' },
  stale: { tone: 'confirm', mark: 'clock', children: 'stale' },
  expired: { tone: 'deny', mark: 'ban', children: 'expired' },
  undetermined: { tone: 'deny', mark: 'question', children: 'undetermined' },
  none: { tone: 'quiet', mark: 'question', children: 'no central policy' },
};

/** In which state the policies of machines are. */
export function MachinesCard({ overview: { fleet }, sources }: CardProps) {
  const { states } = machinesIn(fleet);
  return (
    <Card title="Machines by policy" badge={<MoreLink href={sources.fleet()}>Fleet</MoreLink>}>
      {states.length === 0 ? (
        <Nothing>No machine has enrolled: wstack login does that.</Nothing>
      ) : (
        <BarList
          label="Machines by the state of their policies"
          tone="quiet"
          bars={states.map(({ state, count: machines }) => ({
            key: state,
            label: <Badge {...WORDS[state]} />,
            value: machines,
            text: count(machines),
            href: sources.fleet(state),
          }))}
        />
      )}
    </Card>
  );
}
