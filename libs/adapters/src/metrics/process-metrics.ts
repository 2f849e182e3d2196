import { collectDefaultMetrics, Registry } from 'prom-client';
import { quoteLabel } from './label-text.js';
import type { MorePage } from './prometheus-metrics-sink.js';
import { headOf, numberText } from './render-family.js';

/** Processor, memory, file descriptors, garbage collection and the event loop, by prom-client. One registry a process is enough. */
export function processMetrics(): MorePage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges under a counter's name, and sums of what is there by kind as well.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  return async (format) => {
    let text = '';
    // Its own OpenMetrics text renames the counters for good, so that the other format would be wrong from then on.
    for (const { name, help, type, values } of await registry.getMetricsAsJSON()) {
      // Declared as a number and in truth the word that the format has.
      text += headOf({ name, help, kind: String(type) }, format);
      for (const value of values) {
        const labels = Object.entries(value.labels).map(
          ([label, of]) => `${label}=${quoteLabel(String(of))}`,
        );
        const line = 'metricName' in value && typeof value.metricName === 'string' ? value.metricName : name;
        text += `${line}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${numberText(value.value)}\n`;
      }
    }
    return text;
  };
}
