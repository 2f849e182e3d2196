import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const folder = path.resolve(__dirname, '..');

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly resources?: { readonly requests: object; readonly limits: { readonly memory: string } };
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string }[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly ports?: readonly { readonly name: string; readonly targetPort: string }[];
    readonly endpoints?: readonly { readonly port: string; readonly authorization: object }[];
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: Readonly<Record<string, unknown>>;
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

function manifests(): Manifest[] {
  return readdirSync(path.join(folder, 'kubernetes'))
    .filter((file) => !file.includes('example'))
    .flatMap((file) => parseAllDocuments(readFileSync(path.join(folder, 'kubernetes', file), 'utf8')))
    .map((document) => {
      expect(document.errors).toEqual([]);
      // What it must say is what the tests below look for.
      return document.toJS() as Manifest;
    });
}

const VERSIONS: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Service: 'v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  ServiceMonitor: 'monitoring.coreos.com/v1',
};

/** Ends with 0, and says that all is in order, or names what is not. */
function checked(place: string): { readonly status: number | null; readonly lines: readonly string[] } {
  const program = path.join(folder, 'check-shipped.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, place], { encoding: 'utf8' });
  return { status, lines: `${stdout}${stderr}`.trim().split('\n') };
}

describe('what is shipped, by the schemas and types of Kubernetes, its Prometheus operator, Grafana and the Compose Specification', () => {
  it('is in order', () => {
    expect(checked(folder)).toEqual({
      status: 0,
      lines: ['11 manifests, 4 dashboards and the compose file are in order'],
    });
  });

  it('would not be with a misspelt key, a value of another kind, or one that is missing', () => {
    const copy = mkdtempSync(path.join(tmpdir(), 'manifests-'));
    const spoil = (file: string, from: RegExp, to: string) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      expect(text).toMatch(from);
      writeFileSync(path.join(copy, file), text.replace(from, to));
    };
    for (const place of ['kubernetes', 'grafana/dashboards'])
      mkdirSync(path.join(copy, place), { recursive: true });
    spoil('kubernetes/api.yaml', /readinessProbe:/, 'readynessProbe:');
    spoil('kubernetes/worker.yaml', /replicas: 2/, 'replicas: two');
    spoil('kubernetes/service-monitor.yaml', /endpoints:/, 'endpoint:');
    spoil('grafana/dashboards/cost.json', /"gridPos"/, '"gridPosition"');
    spoil('compose.yaml', /healthcheck: \{ test/, 'healthchek: { test');
    const { status, lines } = checked(copy);
    rmSync(copy, { recursive: true });
    expect(status).toBe(1);
    for (const wrong of [
      /^kubernetes.api\.yaml Deployment wrongstack-api: .*"readynessProbe"/,
      /^kubernetes.worker\.yaml Deployment wrongstack-worker: .*replicas must be integer/,
      /^kubernetes.service-monitor\.yaml ServiceMonitor wrongstack-api: .*must have required property endpoints/,
      /^grafana.dashboards.cost\.json: .*"gridPosition"/,
      /^compose\.yaml \/services\/postgres: must NOT have additional properties .*"healthchek"/,
    ])
      expect(lines).toContainEqual(expect.stringMatching(wrong));
  });

  it('starts programs that are built', () => {
    const commands = [...manifests().flatMap(({ spec }) => spec.template?.spec.containers ?? [])].map(
      ({ command }) => command.join(' '),
    );
    const made = readFileSync(path.resolve(folder, '../bundle.mjs'), 'utf8');
    for (const command of [...commands, 'node apps/api/dist/worker.cjs']) {
      const [, name] = /^node apps\/api\/dist\/([\w.]+)$/.exec(command) ?? [];
      expect(made).toContain(name);
    }
  });
});

describe('Kubernetes manifests', () => {
  const all = manifests();
  const of = (kind: string): Manifest[] => all.filter((manifest) => manifest.kind === kind);
  const deployments = of('Deployment');

  it('hold one of each kind for the API and for the worker', () => {
    for (const [kind, version] of Object.entries(VERSIONS)) {
      expect(
        of(kind)
          .map(({ metadata }) => metadata.name)
          .sort(),
      ).toEqual(['wrongstack-api', 'wrongstack-worker']);
      expect(new Set(of(kind).map(({ apiVersion }) => apiVersion))).toEqual(new Set([version]));
    }
    expect(all).toHaveLength(Object.keys(VERSIONS).length * 2);
  });

  it.each(deployments.map((one) => [one.metadata.name, one] as const))(
    '%s runs without privileges, probed, and bounded',
    (_name, one) => {
      const pod = one.spec.template?.spec;
      const [container] = pod?.containers ?? [];
      expect(one.spec.selector?.matchLabels).toEqual({ 'app.kubernetes.io/name': one.metadata.name });
      expect(one.spec.template?.metadata.labels).toMatchObject(
        one.spec.selector?.matchLabels ?? { none: '' },
      );
      // Beyond the 20 s that what runs may still take.
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(20);
      expect(pod?.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container?.livenessProbe).toBeDefined();
      expect(container?.readinessProbe).toBeDefined();
      expect(container?.resources?.limits.memory).toMatch(/^\d+[MG]i$/);
      expect(container?.image).not.toMatch(/:latest$|^[^:]+$/);
      const volumes = pod?.volumes.map(({ name }) => name);
      expect(container?.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    },
  );

  it('point at one another: services at ports, budgets and network policies at pods, monitors at services', () => {
    for (const { metadata, spec } of deployments) {
      const ports = spec.template?.spec.containers[0]?.ports.map(({ name }) => name) ?? [];
      const named = (kind: string) => of(kind).find((one) => one.metadata.name === metadata.name)?.spec;
      expect(ports).toContain(named('Service')?.ports?.[0]?.targetPort);
      expect(named('PodDisruptionBudget')?.selector?.matchLabels).toEqual(spec.selector?.matchLabels);
      expect(named('NetworkPolicy')?.podSelector?.matchLabels).toEqual(spec.selector?.matchLabels);
      const [endpoint] = named('ServiceMonitor')?.endpoints ?? [];
      expect(endpoint?.port).toBe(named('Service')?.ports?.[0]?.name);
      expect(endpoint?.authorization).toEqual({
        credentials: { name: 'wrongstack', key: 'WRONGSTACK_SCRAPE_TOKEN' },
      });
    }
  });
});

describe('compose.yaml', () => {
  const text = readFileSync(path.join(folder, 'compose.yaml'), 'utf8');
  const compose = parse(text, { merge: true }) as {
    readonly services: Readonly<
      Record<
        string,
        {
          readonly volumes?: readonly string[];
          readonly ports?: readonly string[];
          readonly depends_on?: object;
        }
      >
    >;
    readonly volumes: object;
  };

  it('starts all that there is, with volumes and files that exist', () => {
    expect(Object.keys(compose.services)).toEqual([
      'api',
      'worker',
      'postgres',
      'redis',
      'prometheus',
      'grafana',
    ]);
    for (const volume of Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)) {
      const [from = ''] = volume.split(':');
      if (from.startsWith('.')) expect(existsSync(path.join(folder, from))).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(from);
    }
  });

  it('wants nothing that the page about it does not say how to make', () => {
    const page = readFileSync(path.join(folder, 'README.md'), 'utf8');
    const wanted = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(wanted.length).toBeGreaterThanOrEqual(4);
    for (const name of wanted) expect(page).toContain(name);
  });

  it('keeps the file with its secrets out of the repository and of the image', () => {
    const root = path.resolve(folder, '../..');
    expect(readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n')).toContain('**/.env');
    expect(readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n')).toContain('.env');
  });

  it('opens ports on this machine alone, and has no password of its own', () => {
    for (const port of Object.values(compose.services).flatMap(({ ports = [] }) => ports))
      expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const [, value = ''] of text.matchAll(/(?:PASSWORD|TOKEN|_KEY): (.*)$/gm))
      expect(value).toMatch(/^\$\{\w+:\?/);
  });
});
