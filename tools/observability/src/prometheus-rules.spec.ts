import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { METRICS, OWN_METRICS, PrometheusMetricsSink } from '@wrongstack/adapters/metrics';

const root = path.resolve(__dirname, '../../..');
const folder = path.join(root, 'tools/observability/prometheus');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert?: string;
      readonly record?: string;
      readonly expr: string;
      readonly labels?: { readonly severity: string };
      readonly annotations?: { readonly summary: string; readonly runbook: string };
    }[];
  }[];
}
interface Tests {
  readonly tests: readonly { readonly name: string }[];
}

// Files of our own, whose form promtool checks below.
function read(name: string): unknown {
  return parse(readFileSync(path.join(folder, name), 'utf8'));
}
function rulesOf(name: string) {
  return (read(name) as Rules).groups.flatMap(({ rules }) => rules);
}

function promtool(...args: string[]): string {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined)
    throw new Error('promtool is missing: install the package prometheus', { cause: error });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

describe('rules of Prometheus', () => {
  const alerts = rulesOf('alerting.rules.yaml');

  it('are taken by promtool', () => {
    expect(promtool('check', 'rules', 'recording.rules.yaml', 'alerting.rules.yaml')).toBe('');
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yaml')).toBe('');
  });

  it('fire and keep quiet as their tests say', () => {
    expect(promtool('test', 'rules', 'rules.test.yaml')).toBe('');
  });

  it('have for each alert a history that fires it, one that does not, and a page that says what to do', () => {
    const names = (read('rules.test.yaml') as Tests).tests.map(({ name }) => name);
    const index = readFileSync(path.join(root, 'docs/runbooks/README.md'), 'utf8').replace(/ +/g, ' ');
    for (const { alert, labels, annotations } of alerts) {
      expect(names).toContain(`${alert} fires`);
      expect(names).toContain(`${alert} is quiet`);
      expect(['critical', 'warning', 'info']).toContain(labels?.severity);
      expect(annotations?.runbook).toBe(`docs/runbooks/${alert}.md`);
      expect(existsSync(path.join(root, annotations?.runbook ?? ''))).toBe(true);
      expect(index).toContain(`[${alert}](${alert}.md) | ${labels?.severity} `);
    }
  });

  it('ask for nothing that we do not record', () => {
    const known = new Set([...METRICS, ...OWN_METRICS].map(({ name }) => name));
    for (const { expr } of [...alerts, ...rulesOf('recording.rules.yaml')])
      for (const [name] of expr.matchAll(/\bwrongstack_[a-z_]+/g))
        expect(known).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
  });

  // Growth from nothing is none to Prometheus: a series that appears with 1 would fire no alert, and their tests would not tell.
  it('miss no first time: what fires when it happens once is on the page of a process that has only begun', async () => {
    let page = '';
    for await (const piece of new PrometheusMetricsSink().expose()) page += piece;
    const once = alerts.flatMap(({ expr }) => [
      ...expr.matchAll(/increase\((\w+(?:\{[^}]*\})?)\[\w+\]\)\) > 0$/g),
    ]);
    expect(once.length).toBeGreaterThanOrEqual(3);
    for (const [, series = ''] of once)
      expect(page).toContain(series.includes('{') ? `${series} 0` : `\n${series}`);
  });
});
