import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Badge } from '../../parts/verdict-badge.js';
import { useSession } from '../../session/use-session.js';
import { Card } from '../../parts/card.js';
import { roles } from './identities.js';
import { type Granted, grantsOf } from './role-words.js';
import classes from './roles-tab.module.css';

/** What each role may do, from the table that every route of the API asks; nothing of it is written down here. */
export function RolesTab() {
  const mine = useSession().roles;
  const table = useQuery({ queryKey: ['roles'], queryFn: ({ signal }) => roles(signal) });
  if (table.error !== null) return <ProblemNote error={table.error} onRetry={() => void table.refetch()} />;
  if (table.data === undefined) return <Loading what="roles" />;
  return (
    <>
      <p className={classes['lead']}>
        Somebody has the roles that are given to them by name, and those of their groups; what any of them
        allows is allowed. What no role allows nobody may.
      </p>
      <div className={classes['roles']}>
        {table.data.map(({ role, abilities, ownAbilities }) => (
          <Card
            key={role}
            title={role}
            badge={mine.includes(role) ? <Badge tone="approve">yours</Badge> : null}
          >
            <Grants title="Of anybody’s" grants={grantsOf(abilities)} />
            <Grants title="Of one’s own" grants={grantsOf(ownAbilities)} />
          </Card>
        ))}
      </div>
    </>
  );
}

function Grants({ title, grants }: { readonly title: string; readonly grants: readonly Granted[] }) {
  if (grants.length === 0) return null;
  return (
    <section>
      <h3 className={classes['title']}>{title}</h3>
      <dl className={classes['grants']}>
        {grants.map(({ subjects, actions }) => (
          <div key={subjects} className={classes['grant']}>
            <dt>{subjects}</dt>
            <dd>{actions}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
