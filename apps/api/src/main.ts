import type { Principal } from './auth/principal.js';
import { StaticTokenAuthenticator } from './auth/static-token-authenticator.js';
import { createApplication } from './create-application.js';
import { readEnvironment } from './environment.js';
import { failureLine } from './errors/failure-line.js';
import { createHost } from './host/create-host.js';

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

async function main(): Promise<void> {
  const environment = readEnvironment();
  const host = await createHost(environment, false);
  const authenticator = new StaticTokenAuthenticator(environment.apiToken, SERVICE);
  const { graceMs } = environment;
  const app = await createApplication({ host, authenticator, log: host.log, graceMs });
  try {
    await app.listen(environment.port, environment.host);
  } catch (error) {
    await host.close(0);
    throw error;
  }
  process.stdout.write(`wrongstack api listening on ${await app.getUrl()}\n`);
  process.stdout.write(
    host.driver === 'redis'
      ? 'tasks: handed to workers over Redis\n'
      : 'tasks: run in this process and end with it (set REDIS_URL to hand them to workers)\n',
  );
  if (environment.apiToken === null) {
    process.stdout.write('nobody can call tools: set WRONGSTACK_API_TOKEN\n');
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`wrongstack api: ${failureLine(error)}\n`);
  process.exitCode = 1;
});
