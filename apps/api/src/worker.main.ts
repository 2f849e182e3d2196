import { readEnvironment } from './environment.js';
import { failureLine } from './errors/failure-line.js';
import { createHost } from './host/create-host.js';

/** Takes tasks from Redis until SIGTERM; then nothing more, and what runs gets its grace before it is killed. */
async function main(): Promise<void> {
  const environment = readEnvironment();
  const host = await createHost({ ...environment, tasksDriver: 'redis' }, true);
  process.stdout.write('wrongstack worker takes tasks\n');
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    host.close(environment.graceMs).then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

function fail(error: unknown): never {
  process.stderr.write(`wrongstack worker: ${failureLine(error)}\n`);
  process.exit(1);
}

main().catch(fail);
