import { lazy, Suspense } from 'react';
import { Loading } from '../loading.js';
import type { TimeChartProps } from './time-chart-props.js';
import classes from './time-chart.module.css';

const Drawing = lazy(() => import('./time-chart-drawing.js'));

/** Counts over time. The drawing is for the eyes; the same figures are a table for everybody else. */
export function TimeChart(props: TimeChartProps) {
  const { title, series, points, height = 220 } = props;
  return (
    <figure aria-label={title} className={classes['chart']}>
      <div aria-hidden="true" style={{ height }}>
        <Suspense fallback={<Loading what={title} />}>
          <Drawing {...props} />
        </Suspense>
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, values }) => (
              <tr key={at}>
                <th scope="row">{new Date(at).toLocaleString()}</th>
                {series.map(({ key }) => (
                  <td key={key}>{values[key] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
