import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

  it('opens ports on this machine alone, and has no password of its own', () => {
    for (const port of Object.values(compose.services).flatMap(({ ports = [] }) => ports))
      expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const [, value = ''] of text.matchAll(/(?:PASSWORD|TOKEN|_KEY): (.*)$/gm))
      expect(value).toMatch(/^\$\{\w+:\?/);
  });
});
