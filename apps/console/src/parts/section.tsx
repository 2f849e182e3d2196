import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

/** A part of a page with a heading of its own. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes['section']}>
      <h3 id={id} className={classes['title']}>
        {title}
      </h3>
      {children}
    </section>
  );
}
