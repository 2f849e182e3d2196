import { memo } from 'react';
import type { Column } from './column.js';
import classes from './virtual-table.module.css';

interface Props<T> {
  readonly row: T;
  readonly id: string;
  readonly index: number;
  /** Pixels from the top of all rows. */
  readonly start: number;
  readonly columns: readonly Column<T>[];
  readonly active: boolean;
  readonly selected: boolean;
  readonly opens: boolean;
  /** The same function for as long as the table is there: a new one would draw every row again. */
  readonly onChoose: (index: number) => void;
}

function Row<T>({ row, id, index, start, columns, active, selected, opens, onChoose }: Props<T>) {
  return (
    // Keys are heard by the grid, which has the focus.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- see above
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-active={active}
      data-opens={opens}
      className={classes['row']}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onChoose(index)}
    >
      {columns.map(({ key, from = 'always', cell }) => (
        <div key={key} role="gridcell" data-from={from} className={classes['cell']}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

/** Drawn once and again only when something of it changed: while somebody scrolls, that is the rows that come into view. */
// memo() forgets that the component is generic.
export const VirtualRow = memo(Row) as typeof Row;
