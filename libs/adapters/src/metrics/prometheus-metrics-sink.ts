import {
  type Disposer,
  type Logger,
  type MetricLabels,
  MetricsSink,
  silentLogger,
} from '@wrongstack/contracts';
import { type DropReason, DroppedSamples } from './dropped-samples.js';
import { type Collect, MetricCollectors } from './metric-collectors.js';
import { type MetricDefinition, type MetricKind, SECONDS } from './metric-definition.js';
import { METRICS, OWN_METRICS } from './metric-definitions.js';
import { type FamilyLimits, MetricFamily } from './metric-family.js';
import { isLabelName, PluginNames } from './metric-names.js';
import { headOf, linesOf, type MetricsFormat } from './render-family.js';
import { Distribution, Scalar, type Series } from './series.js';
import { type HistogramGrowth, SeriesGrowth } from './series-growth.js';

export interface PrometheusMetricsSinkOptions {
  readonly log?: Logger;
  /** What may be recorded beside plugins' metrics and the sink's own; the table of this library by default. */
  readonly definitions?: readonly MetricDefinition[];
  readonly limits?: Partial<FamilyLimits>;
  /** Metrics that one plugin may make. */
  readonly pluginMetrics?: number;
  readonly collectorMs?: number;
}

/** Other text for the same page: what prom-client knows about the process. */
export type MorePage = (format: MetricsFormat) => Promise<string>;

type Family = MetricFamily<Scalar> | MetricFamily<Distribution>;

const LIMITS: FamilyLimits = { values: 200, series: 2_000 };
const PLUGIN_METRICS = 100;
/** All together: no more than ten plugins that make as many as they may. */
const ALL_PLUGIN_METRICS = 1_000;
const PIECE_CHARACTERS = 16_384;
/** What a scrape may hold the event loop up for at a time. */
const SLICE_MS = 1;

/**
 * Keeps what is recorded and writes it in Prometheus's format. The samples are ours and not prom-client's, since its labelled `inc` sorts
 * and joins texts at each call and its page is made in one go; it supplies what it knows about the process (see process-metrics.ts).
 * Nothing that is recorded can throw, take memory without bound or make the page unreadable.
 */
export class PrometheusMetricsSink extends MetricsSink {
  readonly #families = new Map<string, Family | null>();
  readonly #pages: MorePage[] = [];
  readonly #plugins = new PluginNames();
  readonly #limits: FamilyLimits;
  readonly #pluginMetrics: number;
  readonly #dropped: DroppedSamples;
  readonly #collectors: MetricCollectors;
  /** By plugin: one that makes up names takes the room of no other. */
  readonly #pluginCounts = new Map<string, number>();
  #allPluginMetrics = 0;
  readonly #traces = new Set<() => string | null>();
  /** For those who report what a process counted to a server. */
  readonly growth = new SeriesGrowth(() => this.series());

  constructor(options: PrometheusMetricsSinkOptions = {}) {
    super();
    this.#limits = { ...LIMITS, ...options.limits };
    this.#pluginMetrics = options.pluginMetrics ?? PLUGIN_METRICS;
    this.#dropped = new DroppedSamples(options.log ?? silentLogger, (reason) =>
      this.counter('wrongstack_metrics_dropped_total', 1, { reason }),
    );
    this.#collectors = new MetricCollectors(
      this.#dropped,
      (collector) => this.counter('wrongstack_metrics_collector_failures_total', 1, { collector }),
      options.collectorMs,
    );
    for (const definition of options.definitions ?? METRICS)
      this.#families.set(definition.name, this.#familyOf(definition, this.#limits));
    // The labels of the sink's own are of its own making.
    for (const definition of OWN_METRICS)
      this.#families.set(definition.name, this.#familyOf(definition, LIMITS));
    for (const family of this.#families.values())
      for (const labels of family === null ? [] : linesFromStart(family.definition)) family?.line(labels);
  }

  override counter(name: string, value = 1, labels?: MetricLabels): void {
    if (!Number.isFinite(value) || value < 0) return this.#refuse(name, value);
    const line = this.#line(name, 'counter', labels);
    if (line instanceof Scalar) line.value += value;
  }

  override gauge(name: string, value: number, labels?: MetricLabels): void {
    if (!Number.isFinite(value)) return this.#refuse(name, value);
    const line = this.#line(name, 'gauge', labels);
    if (line instanceof Scalar) line.value = value;
  }

  override histogram(name: string, value: number, labels?: MetricLabels): void {
    if (!Number.isFinite(value)) return this.#refuse(name, value);
    const line = this.#line(name, 'histogram', labels);
    if (!(line instanceof Distribution)) return;
    const bucket = line.observe(value);
    const trace = this.#traces.size === 0 ? null : this.#traceId();
    if (trace === null) return;
    line.exemplars ??= [];
    line.exemplars[bucket] = { trace, value, at: Date.now() };
  }

  /** From now on observations carry the trace that they are made in, as exemplars of the OpenMetrics format. */
  useTraces(traceId: () => string | null): Disposer {
    this.#traces.add(traceId);
    return () => void this.#traces.delete(traceId);
  }

  /** Adds what another process observed. False where its buckets are others than ours. */
  addDistribution({ name, labels, counts, sum, count }: HistogramGrowth): boolean {
    const line = this.#line(name, 'histogram', labels);
    return line instanceof Distribution && line.add(counts, sum, count);
  }

  /** Asked at each scrape, each within a second. */
  addCollector(name: string, collect: Collect): Disposer {
    return this.#collectors.add(name, collect);
  }

  addPage(page: MorePage): void {
    this.#pages.push(page);
  }

  /** The page in pieces. In between, others get the event loop; each series is written at one moment. Never throws. */
  async *expose(format: MetricsFormat = 'text'): AsyncGenerator<string> {
    await this.#collectors.run();
    let piece = '';
    let since = performance.now();
    for (const family of [...this.#families.values()]) {
      if (family === null || family.lines.length === 0) continue;
      piece += headOf(family.definition, format);
      for (let index = 0; index < family.lines.length; index += 1) {
        // Within the array's length, which only grows.
        piece += linesOf(family.definition, family.lines[index] as Series, format);
        if (piece.length >= PIECE_CHARACTERS) {
          yield piece;
          piece = '';
        }
        if ((index & 15) === 15 && performance.now() - since >= SLICE_MS) {
          await new Promise(setImmediate);
          since = performance.now();
        }
      }
    }
    yield piece;
    for (const page of this.#pages) yield await this.#more(page, format);
    if (format === 'openmetrics') yield '# EOF\n';
  }

  /** Every series, for those who send them on. */
  *series(): Generator<{ readonly definition: MetricDefinition; readonly line: Series }> {
    for (const family of this.#families.values()) {
      for (const line of family?.lines ?? [])
        if (family !== null) yield { definition: family.definition, line };
    }
  }

  async #more(page: MorePage, format: MetricsFormat): Promise<string> {
    try {
      return await page(format);
    } catch (error) {
      this.#dropped.name('page', 'metrics of the process are missing', { message: String(error) });
      return '';
    }
  }

  /** Where several are under way, it cannot be told to which of them an observation belongs. */
  #traceId(): string | null {
    const [only = null, ...others] = [...this.#traces].flatMap((traceId) => traceId() ?? []);
    return others.length === 0 ? only : null;
  }

  #line(name: string, kind: MetricKind, labels: MetricLabels | undefined): Series | null {
    try {
      const known = this.#families.get(name);
      const family = known === undefined ? this.#declare(name, kind, labels ?? {}) : known;
      if (family === null) return this.#drop(name, 'unknown_metric');
      if (family.definition.kind !== kind) return this.#drop(name, 'other_kind');
      const line = family.line(labels ?? {});
      return typeof line === 'string' ? this.#drop(name, line) : line;
    } catch {
      // Labels with code of their own: a getter that throws, a proxy.
      return this.#drop(name, 'unreadable');
    }
  }

  /** A plugin's metric is declared by its first sample. */
  #declare(name: string, kind: MetricKind, labels: MetricLabels): Family | null {
    if (!name.startsWith('plugin.') || this.#allPluginMetrics >= ALL_PLUGIN_METRICS) return null;
    const [, plugin = ''] = name.split('.', 2);
    const count = this.#pluginCounts.get(plugin) ?? 0;
    if (count >= this.#pluginMetrics) return null;
    const names = Object.keys(labels).sort();
    const legal = this.#plugins.legal(name, kind);
    if (legal === null || !names.every(isLabelName)) return null;
    const family = this.#familyOf(
      {
        name: legal,
        kind,
        help: `Of the plugin ${plugin.replaceAll(':', '.')}.`,
        labels: names,
        ...(kind === 'histogram' ? { buckets: SECONDS } : {}),
      },
      this.#limits,
    );
    this.#allPluginMetrics += 1;
    this.#pluginCounts.set(plugin, count + 1);
    this.#families.set(name, family);
    return family;
  }

  #familyOf(definition: MetricDefinition, limits: FamilyLimits): Family {
    const onOverflow = (metric: string): void => {
      // Its own metric is the one that could never end counting itself.
      if (metric !== 'wrongstack_metrics_overflow_total') {
        this.counter('wrongstack_metrics_overflow_total', 1, { metric });
        this.#dropped.name(`overflow ${metric}`, 'a metric has too many label values: the rest is "other"', {
          metric,
        });
      }
    };
    const { buckets } = definition;
    return definition.kind === 'histogram'
      ? new MetricFamily(
          definition,
          (values) => new Distribution(values, buckets ?? SECONDS),
          limits,
          onOverflow,
        )
      : new MetricFamily(definition, (values) => new Scalar(values), limits, onOverflow);
  }

  #refuse(name: string, value: unknown): void {
    this.#drop(
      name,
      typeof value === 'number' && value < 0 && value !== -Infinity ? 'negative' : 'not_finite',
    );
  }

  #drop(name: string, reason: DropReason): null {
    this.#dropped.add(name, reason);
    return null;
  }
}

function linesFromStart({ kind, labels, fromStart = [] }: MetricDefinition): readonly MetricLabels[] {
  if (kind !== 'counter') return [];
  return labels.length === 0 ? [{}] : fromStart;
}
