import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './list-layout.module.css';

interface Props {
  readonly filters: ReactNode;
  /** How many of them are set: said on the button that unfolds them on a narrow screen. */
  readonly set: number;
  readonly children: ReactNode;
}

/** Filters beside a list; above it, folded away, where there is no room. */
export function ListLayout({ filters, set, children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <div className={classes['layout']}>
      <div className={classes['toggle']}>
        <Button variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
          {set === 0 ? 'Filters' : `Filters (${set})`}
        </Button>
      </div>
      <aside aria-label="Filters" className={classes['filters']} data-open={open}>
        {filters}
      </aside>
      <div className={classes['list']}>{children}</div>
    </div>
  );
}
