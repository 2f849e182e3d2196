import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { homeFolders } from '@wrongstack/adapters';
import { WrongStackError } from '@wrongstack/contracts';
import type { ControlPlace } from './control/open-control.js';

export interface Environment {
  host: string;
  /** 0 lets the system choose a free port. */
  port: number;
  /** Policies, audit log, vault and tasks of this server. */
  agentHome: string;
  home: string;
  managedDir: string;
  /** Where the tools work. */
  projectRoot: string;
  /** The one token there is until identities are managed; null lets nobody in. */
  apiToken: string | null;
  /** Whoever has it may read `/metrics`, and nothing else; null = roles alone decide. */
  scrapeToken: string | null;
  /** Where a worker serves `/metrics`; null = nowhere. */
  metricsPort: number | null;
  /** Loopback, unless there is a scrape token. */
  metricsHost: string;
  control: ControlPlace;
  /** Where the console was built; missing = where the workspace builds it. */
  consoleDir?: string;
  redisUrl: string | null;
  /** Missing = redis where there is a REDIS_URL, else local. */
  tasksDriver: 'local' | 'redis' | null;
  /** How long a worker may give no sign of life before its tasks are lost. */
  tasksPatienceMs: number;
  /** Tasks that have not ended, of one person and of one organisation; null = as many as the queue takes unasked. */
  tasksPerOwner: number | null;
  tasksPerTenant: number | null;
  /** How long tasks that run may go on after SIGTERM. */
  graceMs: number;
  runs: RunSettings;
  all: Readonly<Record<string, string | undefined>>;
}

/** Runs of the agent on this server. */
export interface RunSettings {
  /** Folders that runs may work in, as the operator wrote them; none = there are no runs. */
  readonly workspaces: readonly string[];
  /** How many this process executes at once. */
  readonly atOnce: number;
  /** How long whoever executes a run may give no sign of life before it has failed. */
  readonly patienceMs: number;
}

const DEFAULT_PORT = 3000;
const RUNS_AT_ONCE = 4;
const GRACE_MS = 20_000;
const PATIENCE_MS = 30_000;
/** Below it, a worker that is only busy would be given up. */
const LEAST_PATIENCE_MS = 3_000;

/** The only place of this app that reads the process environment. Throws `api.*`, and `environment.*` where there is no home. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  // Loopback unless somebody asks for more: an API that governs machines is not opened to a network by accident.
  const { home, agentHome } = homeFolders({
    env,
    homedir: () => env['HOME'] ?? homedir(),
    accountHome: () => userInfo().homedir,
  });
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env.PORT),
    agentHome,
    home,
    managedDir: '/etc/wrongstack',
    projectRoot: path.resolve(env['WRONGSTACK_PROJECT'] || '.'),
    apiToken: env['WRONGSTACK_API_TOKEN'] || null,
    scrapeToken: env['WRONGSTACK_SCRAPE_TOKEN'] || null,
    metricsPort: readMetricsPort(env['WRONGSTACK_METRICS_PORT']),
    metricsHost: readMetricsHost(env['WRONGSTACK_METRICS_HOST'], env['WRONGSTACK_SCRAPE_TOKEN']),
    control: readControl(env, agentHome),
    ...(env['WRONGSTACK_CONSOLE_DIR'] ? { consoleDir: path.resolve(env['WRONGSTACK_CONSOLE_DIR']) } : {}),
    redisUrl: readRedisUrl(env['REDIS_URL']),
    tasksDriver: readDriver(env['TASKS_DRIVER']),
    tasksPatienceMs: readPatience(env['TASKS_PATIENCE_MS']),
    tasksPerOwner: readMost('TASKS_PER_OWNER', env['TASKS_PER_OWNER']),
    tasksPerTenant: readMost('TASKS_PER_TENANT', env['TASKS_PER_TENANT']),
    graceMs: readGrace(env['TASKS_GRACE_MS']),
    runs: {
      workspaces: readWorkspaces(env['WRONGSTACK_WORKSPACES']),
      atOnce: readRunsAtOnce(env['WRONGSTACK_RUNS_AT_ONCE']),
      patienceMs: readPatience(env['TASKS_PATIENCE_MS']),
    },
    // Tools start programs, which must not learn how one gets in here.
    all: {
      ...env,
      WRONGSTACK_API_TOKEN: undefined,
      WRONGSTACK_SCRAPE_TOKEN: undefined,
      REDIS_URL: undefined,
      DATABASE_URL: undefined,
      WRONGSTACK_SEAL_KEY: undefined,
      WRONGSTACK_OIDC_CLIENT_SECRET: undefined,
    },
  };
}

function readControl(env: NodeJS.ProcessEnv, agentHome: string): ControlPlace {
  return {
    databaseUrl: readDatabaseUrl(env['DATABASE_URL']),
    folder: path.join(agentHome, 'control'),
    organisation: readOrganisation(env['WRONGSTACK_ORG']),
    url: readPublicUrl(env['WRONGSTACK_URL'], readPort(env.PORT)),
    sealKey: env['WRONGSTACK_SEAL_KEY'] || null,
    oidcClientSecret: env['WRONGSTACK_OIDC_CLIENT_SECRET'] || null,
  };
}

function readDatabaseUrl(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  // The address may hold a password: it is never repeated.
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new WrongStackError(
    'api.database_url_invalid',
    'DATABASE_URL is no PostgreSQL address: set it to postgres://user:password@host:port/name, or leave it out for a file.',
  );
}

function readOrganisation(text: string | undefined): string {
  if (text === undefined || text === '') return 'default';
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)) return text;
  throw new WrongStackError('api.org_invalid', 'WRONGSTACK_ORG must have letters, digits, and . _ - only.');
}

function readPublicUrl(text: string | undefined, port: number): string {
  if (text === undefined || text === '') return `http://127.0.0.1:${port}`;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new WrongStackError(
    'api.url_invalid',
    `WRONGSTACK_URL is ${JSON.stringify(text)}: set it to the https address at which people reach this API.`,
  );
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new WrongStackError(
    'api.port_invalid',
    `PORT is ${JSON.stringify(text)}: set it to a number from 0 to 65535, or leave it out for ${DEFAULT_PORT}.`,
  );
}

function readMetricsHost(text: string | undefined, token: string | undefined): string {
  if (text === undefined || text === '' || text === '127.0.0.1' || text === '::1') return text || '127.0.0.1';
  if (token !== undefined && token !== '') return text;
  throw new WrongStackError(
    'api.metrics_open',
    `WRONGSTACK_METRICS_HOST is ${JSON.stringify(text)}: set WRONGSTACK_SCRAPE_TOKEN as well, or leave it out for this machine alone.`,
  );
}

function readMetricsPort(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new WrongStackError(
    'api.metrics_port_invalid',
    `WRONGSTACK_METRICS_PORT is ${JSON.stringify(text)}: set it to a number from 0 to 65535, or leave it out for no /metrics.`,
  );
}

function readRedisUrl(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  // The address may hold a password: it is never repeated.
  if (/^rediss?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new WrongStackError('api.redis_url_invalid', 'REDIS_URL is no address: set it to redis://host:port.');
}

function readDriver(text: string | undefined): Environment['tasksDriver'] {
  if (text === undefined || text === '') return null;
  if (text === 'local' || text === 'redis') return text;
  throw new WrongStackError(
    'api.tasks_driver_invalid',
    `TASKS_DRIVER is ${JSON.stringify(text)}: set it to local or redis.`,
  );
}

function readGrace(text: string | undefined): number {
  if (text === undefined || text === '') return GRACE_MS;
  const grace = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (grace >= 0) return grace;
  throw new WrongStackError(
    'api.grace_invalid',
    `TASKS_GRACE_MS is ${JSON.stringify(text)}: set it to a number from 0 to 999999, or leave it out for ${GRACE_MS}.`,
  );
}

function readWorkspaces(text: string | undefined): readonly string[] {
  const folders = (text ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    if (path.isAbsolute(folder) && path.parse(path.resolve(folder)).root !== path.resolve(folder)) continue;
    throw new WrongStackError(
      'api.workspaces_invalid',
      `WRONGSTACK_WORKSPACES names ${JSON.stringify(folder)}: write absolute paths of folders, with ${path.delimiter} between them.`,
    );
  }
  return folders.map((folder) => path.resolve(folder));
}

function readRunsAtOnce(text: string | undefined): number {
  if (text === undefined || text === '') return RUNS_AT_ONCE;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (count >= 1) return count;
  throw new WrongStackError(
    'api.runs_at_once_invalid',
    `WRONGSTACK_RUNS_AT_ONCE is ${JSON.stringify(text)}: set it to a number from 1 to 999, or leave it out for ${RUNS_AT_ONCE}.`,
  );
}

function readPatience(text: string | undefined): number {
  if (text === undefined || text === '') return PATIENCE_MS;
  const patience = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
  if (patience >= LEAST_PATIENCE_MS) return patience;
  throw new WrongStackError(
    'api.patience_invalid',
    `TASKS_PATIENCE_MS is ${JSON.stringify(text)}: set it to ${LEAST_PATIENCE_MS} or more, or leave it out for ${PATIENCE_MS}.`,
  );
}

function readMost(name: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const most = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (most >= 1) return most;
  throw new WrongStackError(
    'api.tasks_limit_invalid',
    `${name} is ${JSON.stringify(text)}: set it to a whole number from 1, or leave it out.`,
  );
}
