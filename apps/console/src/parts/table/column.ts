import type { ReactNode } from 'react';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  /** As in `grid-template-columns`: `7rem`, `minmax(8rem, 2fr)`. */
  readonly width: string;
  /** From which width of the table on it is shown; missing = always. */
  readonly from?: 'middle' | 'wide';
  readonly cell: (row: T) => ReactNode;
}
