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
  /** `stacked`: parts of a whole. `columns`: the same for amounts of a step, where nothing is between two steps. */
  readonly kind?: 'lines' | 'stacked' | 'columns';
  readonly height?: number;
  /** How a value is written; missing = as a count. */
  readonly format?: (value: number) => string;
  /** A step was pointed at and chosen. A short cut: what it does can be done elsewhere without a pointer. */
  readonly onChoose?: (at: string) => void;
}
