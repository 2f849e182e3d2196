import type { ReactNode } from 'react';
import classes from './cards.module.css';

/** Cards beside each other, as the room allows. */
export function CardGrid({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes['room']}>
      <div className={classes['cards']}>{children}</div>
    </div>
  );
}

/** How much of the width a card takes, where there is enough of it. */
type Size = 'whole' | 'main' | 'side' | 'half' | 'quarter';

export function Cell({ size, children }: { readonly size: Size; readonly children: ReactNode }) {
  return (
    <div className={classes['cell']} data-size={size}>
      {children}
    </div>
  );
}
