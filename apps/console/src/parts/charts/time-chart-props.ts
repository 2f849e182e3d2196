export interface Series {
  readonly key: string;
  readonly label: string;
  /** A colour of theme.css: `--ws-chart-1`. */
  readonly colour: string;
}

export interface Point {
  /** ISO 8601. */
  readonly at: string;
  readonly values: Readonly<Record<string, number>>;
}

export interface TimeChartProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  /** `stacked`: parts of a whole. */
  readonly kind?: 'lines' | 'stacked';
  readonly height?: number;
  /** How a value is written; missing = as a count. */
  readonly format?: (value: number) => string;
}
