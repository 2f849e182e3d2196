import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Column } from './column.js';
import { columnTemplates } from './column-templates.js';
import { VirtualRow } from './virtual-row.js';
import classes from './virtual-table.module.css';

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

  // Read when a row is chosen: the callbacks of a page are new at each of its renders.
  const latest = useRef({ rows, onOpen });
  useEffect(() => {
    latest.current = { rows, onOpen };
  });
  const choose = useCallback((index: number) => {
    setActive(index);
    const row = latest.current.rows[index];
    if (row !== undefined) latest.current.onOpen?.(row);
  }, []);
  const templates = useMemo(() => columnTemplates(columns), [columns]);

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

  return (
    <div
      ref={scroller}
      className={classes['table']}
      style={templates}
      role="grid"
      aria-label={label}
      aria-rowcount={more ? -1 : rows.length + 1}
      aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={move}
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
          const key = rowKey(row);
          return (
            <VirtualRow
              key={key}
              row={row}
              id={`${id}-${index}`}
              index={index}
              start={start}
              columns={columns}
              active={index === active}
              selected={openKey === key}
              opens={onOpen !== undefined}
              onChoose={choose}
            />
          );
        })}
      </div>
    </div>
  );
}
