import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './stat-tile.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  /** What the figure means, in a few words. */
  readonly note: ReactNode;
  /** Where it comes from; null where the person may not go. */
  readonly href: string | null;
  /** Something that somebody should look at. */
  readonly alarming?: boolean;
  /** At its lower edge: a spark line. */
  readonly children?: ReactNode;
}

/** One figure, large, that leads to where it comes from. */
export function StatTile({ label, value, note, href, alarming = false, children }: Props) {
  const content = (
    <>
      <span className={classes['label']}>{label}</span>
      <span className={classes['value']}>{value}</span>
      <span className={classes['note']} data-alarming={alarming}>
        {note}
      </span>
      {children === undefined ? null : <span className={classes['below']}>{children}</span>}
    </>
  );
  return href === null ? (
    <div className={classes['tile']}>{content}</div>
  ) : (
    <Link href={href} className={classes['tile'] ?? ''}>
      {content}
    </Link>
  );
}

/** Tiles beside each other, as many in a row as there is room for. */
export function StatTiles({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes['room']}>
      <div className={classes['tiles']}>{children}</div>
    </div>
  );
}
