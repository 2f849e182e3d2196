import type { ReactNode } from 'react';
import classes from './card.module.css';

interface Props {
  readonly title: string;
  readonly badge?: ReactNode;
  readonly children: ReactNode;
}

/** One thing of a page, with a heading of its own. */
export function Card({ title, badge, children }: Props) {
  return (
    <section className={classes['card']}>
      <h2 className={classes['title']}>
        {title} {badge}
      </h2>
      {children}
    </section>
  );
}
