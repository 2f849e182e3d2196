import { useMemo, useState } from 'react';
import { type DiffRow, diffRows } from './diff-rows.js';
import { HostileText } from './hostile-text.js';
import classes from './diff-lines.module.css';

const MARKS = { same: ' ', added: '+', removed: '-' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const;

interface Props {
  readonly label: string;
  readonly before: string | null;
  readonly after: string;
  readonly firstBefore?: number;
  readonly firstAfter?: number;
}

/** Loaded when the first difference is shown. Default export, since that is what `lazy` takes. */
export default function DiffLines({ label, before, after, firstBefore, firstAfter }: Props) {
  const rows = useMemo(
    () => diffRows(before, after, firstBefore, firstAfter),
    [before, after, firstBefore, firstAfter],
  );
  if (rows.every(({ is }) => is === 'fold' || is === 'same'))
    return <p className={classes['nothing']}>Nothing changes.</p>;
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus
    <div className={classes['diff']} role="region" aria-label={label} tabIndex={0}>
      <div className={classes['lines']}>
        {rows.map((row, index) =>
          row.is === 'fold' ? <Fold key={index} rows={row.rows} /> : <Line key={index} row={row} />,
        )}
      </div>
    </div>
  );
}

function Line({ row }: { readonly row: Exclude<DiffRow, { is: 'fold' }> }) {
  return (
    <div className={classes['line']} data-is={row.is}>
      <span className={classes['number']} aria-hidden="true">
        {row.before}
      </span>
      <span className={classes['number']} aria-hidden="true">
        {row.after}
      </span>
      <span aria-hidden="true">{MARKS[row.is]}</span>
      <span className={classes['text']}>
        {row.is === 'same' ? null : <span className="visually-hidden">{WORDS[row.is]}</span>}
        <HostileText text={row.text} />
      </span>
    </div>
  );
}

function Fold({ rows }: { readonly rows: readonly DiffRow[] }) {
  const [open, setOpen] = useState(false);
  if (open) return rows.map((row, index) => (row.is === 'fold' ? null : <Line key={index} row={row} />));
  return (
    <button type="button" className={classes['fold']} onClick={() => setOpen(true)}>
      {`Show ${rows.length} lines that stay the same`}
    </button>
  );
}
