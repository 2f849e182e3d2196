import { helpText, quoteLabel } from './label-text.js';
import type { MetricDefinition } from './metric-definition.js';
import { Distribution, type Exemplar, type Scalar, type Series } from './series.js';

/** `text`: Prometheus's own, 0.0.4. `openmetrics`: 1.0.0. */
export type MetricsFormat = 'text' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

export function headOf(
  { name, help, kind }: Pick<MetricDefinition, 'name' | 'help'> & { readonly kind: string },
  format: MetricsFormat,
): string {
  // OpenMetrics names a counter without the ending that its line has.
  const shown = format === 'openmetrics' && kind === 'counter' ? name.replace(/_total$/, '') : name;
  return `# HELP ${shown} ${helpText(help)}\n# TYPE ${shown} ${kind}\n`;
}

/** What stands before the value, the same at each scrape, kept as long as the line is. */
const starts = new WeakMap<Series, readonly string[]>();

/** The lines of one series, as they are at this moment. Exemplars are OpenMetrics's alone. */
export function linesOf({ name, labels }: MetricDefinition, series: Series, format: MetricsFormat): string {
  return series instanceof Distribution
    ? distributionLines(name, labels, series, format === 'openmetrics' ? series.exemplars : null)
    : `${startOf(name, labels, series)}${numberText(series.value)}\n`;
}

export function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function startOf(name: string, labels: readonly string[], series: Scalar): string {
  const known = starts.get(series)?.[0];
  if (known !== undefined) return known;
  const pairs = pairsOf(labels, series.values);
  const made = pairs === '' ? `${name} ` : `${name}{${pairs}} `;
  starts.set(series, [made]);
  return made;
}

function distributionLines(
  name: string,
  labels: readonly string[],
  series: Distribution,
  exemplars: Distribution['exemplars'],
): string {
  const heads = starts.get(series) ?? distributionStarts(name, labels, series);
  let text = '';
  let upTo = 0;
  // Each array has one entry a bound, the heads three more.
  for (let index = 0; index < series.bounds.length; index += 1) {
    upTo += series.counts[index] as number;
    text += `${heads[index] as string}${upTo}${exemplarText(exemplars?.[index])}\n`;
  }
  const [infinite = '', sum = '', count = ''] = heads.slice(-3);
  const last = exemplarText(exemplars?.[series.bounds.length]);
  return `${text}${infinite}${series.count}${last}\n${sum}${numberText(series.sum)}\n${count}${series.count}\n`;
}

function exemplarText(exemplar: Exemplar | undefined): string {
  if (exemplar === undefined) return '';
  const { trace, value, at } = exemplar;
  return ` # {trace_id=${quoteLabel(trace)}} ${numberText(value)} ${at / 1000}`;
}

function distributionStarts(
  name: string,
  labels: readonly string[],
  series: Distribution,
): readonly string[] {
  const pairs = pairsOf(labels, series.values);
  const before = pairs === '' ? '' : `${pairs},`;
  const whole = pairs === '' ? ' ' : `{${pairs}} `;
  const made = [...series.bounds.map(String), '+Inf'].map(
    (bound) => `${name}_bucket{${before}le="${bound}"} `,
  );
  const heads = [...made, `${name}_sum${whole}`, `${name}_count${whole}`];
  starts.set(series, heads);
  return heads;
}

function pairsOf(labels: readonly string[], values: readonly string[]): string {
  return labels.map((label, index) => `${label}=${quoteLabel(values[index] ?? '')}`).join(',');
}
