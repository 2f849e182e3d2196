import { setFlagsFromString } from 'node:v8';
import { WrongStackError } from '@wrongstack/contracts';
import { openWorkerControl } from './control/open-worker-control.js';
import { readEnvironment } from './environment.js';
import { failureLine } from './errors/failure-line.js';
import { serveMetrics } from '@wrongstack/adapters/metrics';
import { createHost } from './host/create-host.js';
import { guardProcess } from './host/guard-process.js';
import { countApprovals } from './metrics/count-approvals.js';
import { startMetrics } from './metrics/start-metrics.js';
import { chooseDriver } from './host/open-shared.js';
import { RunExecutor } from './runs/run-executor.js';

/**
 * What passes through a worker is output, garbage at once, and much of it at a time. V8 would let it grow to a multiple of what is
 * alive before it looks through the whole heap; a third more is enough.
 */
setFlagsFromString('--heap-growing-percent=30');

/** Takes tasks from Redis until SIGTERM; then nothing more, and what runs gets its grace before it is killed. */
async function main(): Promise<void> {
  const environment = readEnvironment();
  if ((await chooseDriver(environment)) !== 'redis') {
    throw new WrongStackError(
      'worker.no_redis',
      'tasks are not handed to workers: set REDIS_URL, and leave out TASKS_DRIVER and tasks.driver where they say local',
    );
  }
  guardProcess('worker');
  const host = await createHost(environment, true);
  const control = await openWorkerControl(environment.control, host.log).catch(async (error: unknown) => {
    await host.close(0);
    throw error;
  });
  // Before the first task: none is run by less than what is in force.
  host.central.attach(control.documents);
  const { metrics } = host;
  const stopMetrics = await startMetrics(metrics, host.log, environment.all, 'wrongstack-worker');
  const { metricsPort, metricsHost, scrapeToken: token } = environment;
  const page =
    metricsPort === null
      ? null
      : await serveMetrics(metrics, { port: metricsPort, host: metricsHost, token });
  if (page !== null) process.stdout.write(`metrics on port ${page.port}\n`);
  host.startTasks(control.control.store);
  const { shared, runs, runQueue } = host;
  const { approvals } = control;
  // Of runs that are cancelled while they wait.
  countApprovals(approvals, metrics);
  const executor = new RunExecutor({ shared, control: control.control, approvals }, runs);
  const takesRuns = runQueue.driver === 'redis';
  if (takesRuns) runQueue.take(executor.work, runs.atOnce);
  process.stdout.write(`wrongstack worker takes tasks${takesRuns ? ' and runs' : ''}\n`);
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    // What is still counted while tasks end is sent as well.
    const { graceMs } = environment;
    runQueue
      .pause()
      // They share one grace.
      .then(() => Promise.all([executor.close(graceMs), host.tasks.close(graceMs)]))
      .then(() => host.close(0))
      .then(() => control.close())
      .then(stopMetrics)
      // A scrape that is under way is answered whole.
      .then(() => page?.close())
      .then(
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
