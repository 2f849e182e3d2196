import type { CSSProperties } from 'react';

interface Sized {
  readonly width: string;
  readonly from?: 'middle' | 'wide';
}

/** The columns of each width of the table, as custom properties that its style sheet chooses from. */
export function columnTemplates(columns: readonly Sized[]): CSSProperties {
  const template = (...shown: readonly (Sized['from'] | undefined)[]): string =>
    columns
      .filter(({ from }) => shown.includes(from))
      .map(({ width }) => width)
      .join(' ');
  const properties = {
    '--narrow': template(undefined),
    '--middle': template(undefined, 'middle'),
    '--wide': template(undefined, 'middle', 'wide'),
  };
  // React sets custom properties as well; its types know none.
  return properties as CSSProperties;
}
