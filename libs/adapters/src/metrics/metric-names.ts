import { createHash } from 'node:crypto';
import type { MetricKind } from './metric-definition.js';

const PLUGIN = /^plugin\.([^.]{1,100})\.(.{1,100})$/s;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** `le` is the histogram's own, and names with two underscores in front are Prometheus's. */
export function isLabelName(name: string): boolean {
  return LABEL.test(name) && !name.startsWith('__') && name !== 'le' && name.length <= 60;
}

/**
 * Names of plugins' metrics. They arrive as `plugin.<plugin>.<metric>`, which no two share, and leave as
 * `plugin_<plugin>_<metric>`. Where two would leave alike (`a-b` and `a_b`), the later one gets a digest of its own.
 */
export class PluginNames {
  readonly #taken = new Map<string, string>();

  /** Null where the name is no plugin's. The same name always gives the same answer. */
  legal(name: string, kind: MetricKind): string | null {
    const [, plugin, metric] = PLUGIN.exec(name) ?? [];
    if (plugin === undefined || metric === undefined) return null;
    const base = `plugin_${plain(plugin)}_${plain(metric).replace(/_(?:total|bucket|sum|count)$/, '')}`;
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
    for (const stem of [base, `${base}_${digest}`]) {
      // A histogram writes names of its own with these endings, so that a whole stem belongs to one metric.
      const owner = this.#taken.get(stem) ?? name;
      if (owner !== name) continue;
      this.#taken.set(stem, name);
      return kind === 'counter' ? `${stem}_total` : stem;
    }
    return null;
  }
}

function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9_]/g, '_');
}
