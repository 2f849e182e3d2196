import classes from './spark-line.module.css';

interface Props {
  /** Oldest first. */
  readonly values: readonly number[];
  /** A colour of theme.css: `--ws-chart-1`. */
  readonly colour: string;
}

const HEIGHT = 24;

/** The shape of a series behind its sum. For the eyes alone: a chart with a table is elsewhere on the page. */
export function SparkLine({ values, colour }: Props) {
  const most = Math.max(...values, 0);
  if (values.length < 2 || most === 0) return <div className={classes['spark']} aria-hidden="true" />;
  const line = values.map((value, step) => `${step},${(HEIGHT * (1 - value / most)).toFixed(2)}`).join(' ');
  const last = values.length - 1;
  return (
    <svg
      className={classes['spark']}
      viewBox={`0 -2 ${last} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
      style={{ color: `var(${colour})` }}
    >
      <polygon points={`0,${HEIGHT} ${line} ${last},${HEIGHT}`} className={classes['area']} />
      <polyline points={line} className={classes['line']} />
    </svg>
  );
}
