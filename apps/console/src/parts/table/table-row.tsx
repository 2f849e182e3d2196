import { memo } from 'react';
import type { Column } from './virtual-table.js';
import classes from './virtual-table.module.css';

interface Props<T> {
  readonly id: string;
  readonly row: T;
  readonly index: number;
  /** Pixels from the first row's top. */
  readonly start: number;
  readonly columns: readonly Column<T>[];
  readonly active: boolean;
  readonly selected: boolean;
  readonly opens: boolean;
}

/** What one row shows. It is given no function: while a table is scrolled, only rows that come into view are rendered. */
function Row<T>({ id, row, index, start, columns, active, selected, opens }: Props<T>) {
  return (
    <div
      id={`${id}-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-index={index}
      data-active={active}
      data-opens={opens}
      className={classes['row']}
      style={{ transform: `translateY(${start}px)` }}
    >
      {columns.map(({ key, from = 'always', cell }) => (
        <div key={key} role="gridcell" data-from={from} className={classes['cell']}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

export const TableRow = memo(Row) as typeof Row;
