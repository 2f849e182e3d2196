import type { ReactNode } from 'react';
import classes from './fields.module.css';

/** Names and what they are, as a description list. What is null is left out. */
export function Fields({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes['fields']}>
      {rows
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={classes['field']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
