import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  BubblewrapSandbox,
  createJsonLogger,
  ensureAgentHome,
  FileSecretVault,
  JsonlAuditLog,
  PatternSecretScrubber,
  StoredCredentials,
} from '@wrongstack/adapters';
import { type ApprovalAnswer, ApprovalChannel, newId, systemClock } from '@wrongstack/contracts';
import { PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import { createKernel, type Kernel } from '@wrongstack/kernel';
import {
  credentialReason,
  FileTrustStores,
  JoinedPolicies,
  LocalPolicies,
  NotEnrolled,
  PolicyEngine,
} from '@wrongstack/policy';
import { defaultCredentials } from '@wrongstack/providers';
import { builtInTools, MemoryStore } from '@wrongstack/tools';
import type { RunQueue } from '@wrongstack/contracts/control';
import { ServerAudit } from '../audit/server-audit.js';
import { CentralDocuments } from '../decisions/central-documents.js';
import type { Environment, RunSettings } from '../environment.js';
import { Readiness } from '../health/readiness.js';
import { ApiHost } from './api-host.js';
import { chooseDriver, openQueue, openRateLimiter, openRunQueue } from './open-shared.js';
import { openTracing, type SpanProcessor } from './open-tracing.js';
import type { SharedParts } from './shared-parts.js';
import { VERSION } from '../version.js';
import { NoQueues, type QueueView, RedisQueues } from '../queues/look-into-queues.js';
import { ServerPlugins } from './server-plugins.js';
import { forStandingOwners, type Standing } from './standing-owners.js';

/** What a confined command must not read: what decides about commands, the control plane's keys, and what others did. */
const HIDDEN = ['vault', 'sessions', 'audit', 'tasks', 'projects', 'control', 'runs'];

/** For calls that were decided before. A fleet runs the same few hundred commands again and again. */
const RECALLED_BYTES = 32 * 1024 * 1024;

/** Nobody sits at a server: what needs a person is denied. */
class NobodyToAsk extends ApprovalChannel {
  override async ask(): Promise<ApprovalAnswer> {
    return { kind: 'no', reason: 'nobody is there to ask' };
  }
}

class WiredHost extends ApiHost {
  constructor(
    readonly shared: SharedParts,
    readonly kernel: Kernel,
    readonly projectRoot: string,
    readonly driver: 'local' | 'redis',
    readonly runQueue: RunQueue,
    readonly runs: RunSettings,
    readonly queues: QueueView,
    readonly readiness: Readiness,
    readonly central: CentralDocuments,
    private readonly works: boolean,
    readonly audit: ServerAudit,
    private readonly closeRest: () => Promise<void>,
  ) {
    super();
  }

  startTasks(standing: Standing): void {
    if (this.works) this.tasks.start(forStandingOwners(this.kernel.taskWork, standing));
  }

  async close(graceMs: number): Promise<void> {
    await this.queues.close();
    await this.runQueue.close();
    await this.tasks.close(graceMs);
    await this.closeRest();
  }
}

/**
 * The governed tools on a server: one kernel, decided by what the control plane has published
 * and by the policies of this machine. `works`: tasks run in this process; on
 * Redis that is the worker's, and the API only hands them over.
 */
export async function createHost(
  environment: Environment,
  works: boolean,
  spans: SpanProcessor | null = null,
): Promise<ApiHost> {
  const { agentHome, home } = environment;
  ensureAgentHome(agentHome, 'write');
  const projectRoot = await realpath(environment.projectRoot);
  const scrubber = new PatternSecretScrubber({
    isCredentialFile: (file) => credentialReason(file, home) !== null,
  });
  let traceId = (): string | null => null;
  const log = createJsonLogger({
    current: () => {
      const id = traceId();
      return id === null ? {} : { trace_id: id };
    },
    level: 'warn',
    write: (line) => void process.stderr.write(line),
    scrubber,
    clock: systemClock,
  });
  const metrics = new PrometheusMetricsSink({ log });
  const tracing = await openTracing(environment, works, log, spans);
  if (tracing !== null) {
    traceId = () => tracing.traceId();
    metrics.useTraces(traceId);
  }
  const build = { version: VERSION, node: process.version, role: works ? 'worker' : 'api' };
  metrics.gauge('wrongstack_build_info', 1, build);
  const driver = await chooseDriver(environment);
  const queue = await openQueue(driver, environment, log);
  const tasks = tracing?.queue(queue) ?? queue;
  const runQueue = await openRunQueue(driver, environment, log);
  const rateLimiter = await openRateLimiter(environment, log);
  const { redisUrl } = environment;
  const queues =
    driver === 'local' || redisUrl === null ? new NoQueues() : new RedisQueues(redisUrl, log, scrubber);
  const vaultFolder = path.join(agentHome, 'vault');
  const vault = new FileSecretVault({
    file: path.join(vaultFolder, 'secrets'),
    keyFile: path.join(vaultFolder, 'key'),
    clock: systemClock,
  });
  const ownAudit = new JsonlAuditLog(path.join(agentHome, 'audit'), { clock: systemClock });
  const audit = new ServerAudit(ownAudit);
  const plugins = new ServerPlugins();
  const readiness = new Readiness(log);
  // Asking for a task that cannot be there goes all the way to where tasks are kept.
  readiness.add('tasks', async () => {
    await tasks.get(newId('TaskId'));
  });
  const central = new CentralDocuments();
  const policy = new PolicyEngine({
    documents: new JoinedPolicies([
      central,
      new LocalPolicies({ agentHome, managedFolder: environment.managedDir }),
    ]),
    trust: new FileTrustStores(agentHome),
    state: new NotEnrolled(),
    clock: systemClock,
    home,
    agentHome,
    scrub: (text) => scrubber.scrub(text),
    toolchainScratch: [],
    profile: () => 'guide',
    pluginDigest: plugins.digestOf,
    recall: { bytes: RECALLED_BYTES, scrubEdition: () => scrubber.edition },
  });
  const hidden = HIDDEN.map((name) => path.join(agentHome, name));
  const shared: SharedParts = {
    ...{ policy, scrubber, rateLimiter, tasks, log, metrics, tracing, agentHome, home },
    toolEnvironment: environment.all,
    sandbox: new BubblewrapSandbox({ hidden: [...hidden, environment.managedDir] }),
    // Tools get what they declare, never the keys of model providers.
    credentials: new StoredCredentials({
      ...{ vault, environment: environment.all, scrubber },
      reserved: Object.values(defaultCredentials),
    }),
  };
  const kernel = createKernel({
    ...shared,
    approvals: new NobodyToAsk(),
    audit,
    auditFailure: async () => (await policy.locks(projectRoot)).auditFailure,
    tasks: { queue: tasks, dataDir: agentHome },
    mayMutate: plugins.mayMutate,
  });
  tracing?.calls(kernel.events);
  kernel.tools.registerAllOrThrow(builtInTools({ environment: environment.all, memory: new MemoryStore() }));
  await plugins.load({
    ...{ kernel, policy, agentHome, home, projectRoot, readiness, log, scrubber },
    clock: systemClock,
  });
  const closeRest = async (): Promise<void> => {
    await plugins.close();
    rateLimiter.close?.();
    await ownAudit.close();
    await tracing?.close();
  };
  return new WiredHost(
    shared,
    kernel,
    projectRoot,
    driver,
    runQueue,
    environment.runs,
    queues,
    readiness,
    central,
    works || driver === 'local',
    audit,
    closeRest,
  );
}
