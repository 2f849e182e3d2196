import { fileURLToPath } from 'node:url';
import { systemClock } from '@wrongstack/contracts';
import type { Principal } from './auth/principal.js';
import { StaticTokenAuthenticator } from './auth/static-token-authenticator.js';
import { openControl } from './control/open-control.js';
import { createApplication } from './create-application.js';
import { readEnvironment } from './environment.js';
import { failureLine } from './errors/failure-line.js';
import type { ApiHost } from './host/api-host.js';
import { createHost } from './host/create-host.js';
import { guardProcess } from './host/guard-process.js';
import { createFirstAdmin } from './identity/first-admin.js';
import { startMetrics } from './metrics/start-metrics.js';
import { operate } from './operator/operate.js';
import { isReplayThread, runReplayThread } from './replay/replay-thread.js';

/** Threads start with it as well, and find out below what they are for. */
const PROGRAM = new URL(import.meta.url);
/** From the source, from what tsc wrote and from the bundle: each is one folder deep in apps/api. */
const CONSOLE = new URL('../../console/dist/', PROGRAM);

/** Whoever holds the token of the environment: calls tools, and rules nothing. */
const SERVICE: Principal = {
  id: 'api',
  kind: 'service',
  org: 'default',
  user: 'api',
  teams: [],
  roles: ['developer'],
  scopes: null,
  credential: { kind: 'static', id: 'environment' },
};

/** Prometheus: reads the metrics of this process, and nothing else. */
const SCRAPER: Principal = {
  ...SERVICE,
  id: 'scraper',
  user: 'scraper',
  roles: ['auditor'],
  scopes: ['read:Metrics'],
};

async function main(): Promise<void> {
  const environment = readEnvironment();
  const said = await operate(process.argv.slice(2), environment.control);
  if (said !== null) {
    process.stdout.write(`${said}\n`);
    return;
  }
  guardProcess('api');
  const host = await createHost(environment, false);
  await startMetrics(host.metrics, host.log, environment.all);
  const service = new StaticTokenAuthenticator(environment.apiToken, SERVICE);
  const scraper = new StaticTokenAuthenticator(environment.scrapeToken, SCRAPER);
  const others = [service, scraper];
  const control = await openControl(environment.control, host.log, others, systemClock, PROGRAM).catch(
    async (error: unknown) => {
      await host.close(0);
      throw error;
    },
  );
  const firstToken = await createFirstAdmin(control.control);
  const { graceMs, consoleDir = fileURLToPath(CONSOLE) } = environment;
  const app = await createApplication({ host, control, log: host.log, consoleDir, graceMs });
  try {
    await app.listen(environment.port, environment.host);
  } catch (error) {
    await control.close();
    await host.close(0);
    throw error;
  }
  const url = await app.getUrl();
  control.control.listensAt(Number(new URL(url).port));
  process.stdout.write(`wrongstack api listening on ${url}\n`);
  process.stdout.write(
    host.driver === 'redis'
      ? 'tasks: handed to workers over Redis\n'
      : 'tasks: run in this process and end with it (set REDIS_URL to hand them to workers)\n',
  );
  process.stdout.write(`runs: ${runsLine(host)}\n`);
  process.stdout.write(
    environment.control.databaseUrl === null
      ? `store: ${environment.control.folder} (set DATABASE_URL for PostgreSQL and more than one replica)\n`
      : 'store: PostgreSQL\n',
  );
  if (firstToken !== null) {
    process.stdout.write(`admin token, shown this once and good for a day: ${firstToken}\n`);
  }
}

function runsLine({ runs, runQueue }: ApiHost): string {
  if (runs.workspaces.length === 0)
    return 'none (set WRONGSTACK_WORKSPACES to the folders that they may work in)';
  return runQueue.driver === 'redis'
    ? 'handed to workers over Redis'
    : 'executed in this process (set REDIS_URL and DATABASE_URL to hand them to workers)';
}

(isReplayThread() ? runReplayThread() : main()).catch((error: unknown) => {
  process.stderr.write(`wrongstack api: ${failureLine(error)}\n`);
  process.exitCode = 1;
});
