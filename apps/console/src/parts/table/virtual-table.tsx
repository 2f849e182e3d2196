import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { columnTemplates } from './column-templates.js';
import { TableRow } from './table-row.js';
import classes from './virtual-table.module.css';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  /** As in `grid-template-columns`: `7rem`, `minmax(8rem, 2fr)`. */
  readonly width: string;
  /** From which width of the table on it is shown; missing = always. */
  readonly from?: 'middle' | 'wide';
  readonly cell: (row: T) => ReactNode;
}

interface Props<T> {
  /** What the rows are, for those who do not see the page around them. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** A row was chosen, by pointer or Enter. */
  readonly onOpen?: (row: T) => void;
  readonly openKey?: string | null;
  /** The API has more than was asked for yet. */
  readonly more: boolean;
  readonly onNearEnd: () => void;
}

const ROW_HEIGHT = 44;
/** Rows beyond what is seen: a fast scroll meets no gaps. */
const AHEAD = 12;
/** This far from the end the next page is asked for. */
const NEAR = 60;

/**
 * A table of any length: only what is seen is in the document. One stop for the Tab key; arrows, Page up, Page down, Home and End move,
 * Enter opens.
 */
export function VirtualTable<T>(props: Props<T>) {
  const { label, columns, rows, rowKey, onOpen, openKey = null, more, onNearEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const id = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: AHEAD,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= rows.length - NEAR) onNearEnd();
  }, [more, last, rows.length, onNearEnd]);

  function move(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const row = rows[active];
    if (event.key === 'Enter' && row !== undefined) onOpen?.(row);
    else {
      const to = steps[event.key];
      if (to === undefined) return;
      const next = Math.max(0, Math.min(rows.length - 1, to));
      setActive(next);
      virtual.scrollToIndex(next);
    }
    event.preventDefault();
  }

  function choose({ target }: MouseEvent): void {
    const place = target instanceof Element ? target.closest('[data-index]') : null;
    const index = Number(place?.getAttribute('data-index') ?? Number.NaN);
    const row = rows[index];
    if (row === undefined) return;
    setActive(index);
    onOpen?.(row);
  }

  return (
    <div
      ref={scroller}
      className={classes['table']}
      style={columnTemplates(columns)}
      role="grid"
      aria-label={label}
      aria-rowcount={more ? -1 : rows.length + 1}
      aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={move}
      onClick={choose}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['row']}>
          {columns.map(({ key, header, from = 'always' }) => (
            <div key={key} role="columnheader" data-from={from}>
              {header}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes['rows']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <TableRow
              key={rowKey(row)}
              {...{ id, row, index, start, columns }}
              active={index === active}
              selected={openKey === rowKey(row)}
              opens={onOpen !== undefined}
            />
          );
        })}
      </div>
    </div>
  );
}
