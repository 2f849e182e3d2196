import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './bar-list.module.css';

export interface Bar {
  readonly key: string;
  readonly label: ReactNode;
  readonly value: number;
  /** How the value is written. */
  readonly text: string;
  /** A word more about it. */
  readonly note?: ReactNode;
  /** Where it comes from; null where there is no such place, or the person may not go. */
  readonly href: string | null;
}

export type BarTone = 'quiet' | 'accent' | 'deny';

interface Props {
  /** What is listed, for those who do not see the page around it. */
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly tone?: BarTone;
}

/** Amounts of the same kind, each as long as it is large. */
export function BarList({ label, bars, tone = 'accent' }: Props) {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <ol aria-label={label} className={classes['bars']} data-tone={tone}>
      {bars.map(({ key, label: name, value, text, note, href }) => {
        const content = (
          <>
            <span
              className={classes['bar']}
              style={{ width: most === 0 ? 0 : `${(value / most) * 100}%` }}
              aria-hidden="true"
            />
            <span className={classes['name']}>
              {name}
              {note === undefined ? null : <span className={classes['note']}> {note}</span>}
            </span>
            <span className={classes['amount']}>{text}</span>
          </>
        );
        return (
          <li key={key} className={classes['item']}>
            {href === null ? (
              <span className={classes['row']}>{content}</span>
            ) : (
              <Link href={href} className={classes['row'] ?? ''}>
                {content}
              </Link>
            )}
          </li>
        );
      })}
    </ol>
  );
}
