import { count } from '../../parts/amounts.js';
import { BarList } from '../../parts/bar-list.js';
import { Card } from '../../parts/card.js';
import { HostileText } from '../../parts/hostile-text.js';
import { MoreLink } from '../../parts/more-link.js';
import type { CardProps } from './sources.js';
import { Nothing } from './nothing.js';

/** Whose denials they are. What no rule demanded (a floor, a tool) is in the audit log. */
export function RulesCard({ overview: { topDenyingRules: rules }, sources }: CardProps) {
  return (
    <Card
      title="Top denying rules"
      badge={<MoreLink href={sources.audit({ kind: 'decision', verdict: 'deny' })}>Denials</MoreLink>}
    >
      {rules.length === 0 ? (
        <Nothing>No rule has denied anything in this time.</Nothing>
      ) : (
        <BarList
          label="Top denying rules"
          tone="deny"
          bars={rules.map(({ rule, document, count: denied }) => ({
            key: `${document ?? ''} ${rule}`,
            label: <HostileText text={rule} />,
            note: document === null ? undefined : <HostileText text={document} />,
            value: denied,
            text: count(denied),
            href: sources.audit({
              ...{ kind: 'decision', verdict: 'deny', rule },
              ...(document === null ? {} : { document }),
            }),
          }))}
        />
      )}
    </Card>
  );
}
