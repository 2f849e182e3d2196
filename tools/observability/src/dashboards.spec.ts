import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { METRICS, OWN_METRICS } from '@wrongstack/adapters/metrics';
import { parse } from 'yaml';

const folder = path.resolve(__dirname, '../grafana');
const names = readdirSync(path.join(folder, 'dashboards')).map((file) => path.basename(file, '.json'));

interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string; readonly refId: string }[];
  }[];
}

// Made by our own script, and compared with it below.
function read(name: string): Dashboard {
  return JSON.parse(readFileSync(path.join(folder, 'dashboards', `${name}.json`), 'utf8')) as Dashboard;
}

describe('dashboards of Grafana', () => {
  it('are those that the script makes', () => {
    const script = path.resolve(__dirname, '../make-dashboards.mjs');
    const code = `import(${JSON.stringify(script)}).then(({ DASHBOARDS, dashboardJson }) =>
      console.log(JSON.stringify(Object.keys(DASHBOARDS).map((name) => [name, dashboardJson(name)]))))`;
    const { stdout } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
    const made = JSON.parse(stdout) as [string, Dashboard][];
    expect(made.map(([name]) => name).sort()).toEqual(names.sort());
    for (const [name, dashboard] of made) expect(read(name)).toEqual(dashboard);
  });

  it.each(names)('%s: panels lie side by side, and ask for what is recorded', (name) => {
    const { uid, schemaVersion, panels } = read(name);
    expect(uid).toBe(`wrongstack-${name}`);
    expect(schemaVersion).toBeGreaterThanOrEqual(39);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    const known = new Set([...METRICS, ...OWN_METRICS].map((metric) => metric.name));
    for (const { expr } of panels.flatMap(({ targets }) => targets))
      for (const [metric] of expr.matchAll(/\bwrongstack_[a-z_]+/g))
        expect(known).toContain(metric.replace(/_(?:bucket|sum|count)$/, ''));
  });

  it('are provisioned from where the compose file puts them', () => {
    const provider = readFileSync(path.join(folder, 'provisioning/dashboards/wrongstack.yaml'), 'utf8');
    const place = /path: (\S+)/.exec(provider)?.[1];
    const compose = parse(readFileSync(path.join(folder, '../compose.yaml'), 'utf8'), { merge: true }) as {
      readonly services: { readonly grafana: { readonly volumes: readonly string[] } };
    };
    expect(compose.services.grafana.volumes).toContain(`./grafana/dashboards:${place}:ro`);
  });
});
