import type { ReactNode } from 'react';
import { Card } from '../../../parts/card.js';
import { Fields } from '../../../parts/fields.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { VerdictBadge } from '../../../parts/verdict-badge.js';
import type { Explanation } from './questions.js';
import classes from './what-if-tab.module.css';

/** A verdict, with every floor and rule that mattered. */
export function ExplanationView({ explanation }: { readonly explanation: Explanation }) {
  const { verdict, demanded, by, because, instead, demands, matches, noMatch, facts, obligations } =
    explanation;
  return (
    <Card title="The verdict" badge={<VerdictBadge verdict={verdict} />}>
      <Fields
        rows={[
          ['Asked for', demanded === null ? null : `${demanded}; nobody is there to answer`],
          ['By', <HostileText key="by" text={by} />],
          ['Because', <HostileText key="because" text={because} />],
          ['Instead', instead === null ? null : <HostileText key="instead" text={instead} />],
          ['Approvers', explanation.approvers],
          ['Policy', <HostileText key="policy" text={explanation.policy} />],
          ['Trust', <HostileText key="trust" text={explanation.trust} />],
        ]}
      />
      <List title="Floors" items={demands}>
        {({ verdict: floor, source, document, reason, outcome }) => (
          <>
            <p>
              <VerdictBadge verdict={floor} /> <HostileText text={`${source} ${document}`} />
            </p>
            <p>
              <HostileText text={reason} />
            </p>
            <p className={classes['dim']}>
              <HostileText text={outcome} />
            </p>
          </>
        )}
      </List>
      <List title="Other rules that matched" items={matches}>
        {({ rule, effect, document, on, because: why, outcome }) => (
          <>
            <p>
              <strong>{effect}</strong> <HostileText text={`${rule} ${document}`} />
            </p>
            <p>
              <HostileText text={why} />
            </p>
            <p className={classes['dim']}>
              <HostileText text={on === null ? outcome : `${outcome}, on ${on}`} />
            </p>
          </>
        )}
      </List>
      <List title="Rules that come close" items={noMatch}>
        {({ rule, reason }) => (
          <p>
            <HostileText text={`${rule}: ${reason}`} />
          </p>
        )}
      </List>
      <List title="Conditions" items={obligations}>
        {(text) => (
          <p>
            <HostileText text={text} />
          </p>
        )}
      </List>
      <List title="Facts" items={facts}>
        {(text) => (
          <p>
            <HostileText text={text} />
          </p>
        )}
      </List>
    </Card>
  );
}

interface ListProps<Item> {
  readonly title: string;
  readonly items: readonly Item[];
  readonly children: (item: Item) => ReactNode;
}

function List<Item>({ title, items, children }: ListProps<Item>) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className={classes['list']}>
        {items.map((item, index) => (
          <li key={index} className={classes['item']}>
            {children(item)}
          </li>
        ))}
      </ul>
    </section>
  );
}
