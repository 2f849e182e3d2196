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
import {
  type ApprovalAnswer,
  ApprovalChannel,
  type Logger,
  newId,
  type SecretScrubber,
  systemClock,
  type TaskQueue,
} from '@wrongstack/contracts';
import { PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import type { ServerTracing } from '@wrongstack/adapters/tracing';
import { createKernel, type Kernel } from '@wrongstack/kernel';
import {
  credentialReason,
  FileTrustStores,
  JoinedPolicies,
  LocalPolicies,
  NotEnrolled,
  PolicyEngine,
} from '@wrongstack/policy';
import { builtInTools, MemoryStore } from '@wrongstack/tools';
import { ServerAudit } from '../audit/server-audit.js';
import { CentralDocuments } from '../decisions/central-documents.js';
import type { Environment } from '../environment.js';
import { Readiness } from '../health/readiness.js';
import { ApiHost } from './api-host.js';
import { chooseDriver, openQueue, openRateLimiter } from './open-shared.js';
import { openTracing, type SpanProcessor } from './open-tracing.js';
import { VERSION } from '../version.js';
import { ServerPlugins } from './server-plugins.js';
import { forStandingOwners, type Standing } from './standing-owners.js';

/** Nobody sits at a server: what needs a person is denied. */
class NobodyToAsk extends ApprovalChannel {
  override async ask(): Promise<ApprovalAnswer> {
    return { kind: 'no', reason: 'nobody is there to ask' };
  }
}

class WiredHost extends ApiHost {
  constructor(
    readonly kernel: Kernel,
    readonly tasks: TaskQueue,
    readonly log: Logger,
    readonly metrics: PrometheusMetricsSink,
    readonly tracing: ServerTracing | null,
    readonly scrubber: SecretScrubber,
    readonly projectRoot: string,
    readonly agentHome: string,
    readonly driver: 'local' | 'redis',
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
  const rateLimiter = await openRateLimiter(environment, log);
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
  });
  const hidden = ['vault', 'sessions', 'audit', 'tasks', 'projects'].map((name) =>
    path.join(agentHome, name),
  );
  const kernel = createKernel({
    policy,
    approvals: new NobodyToAsk(),
    audit,
    auditFailure: async () => (await policy.locks(projectRoot)).auditFailure,
    scrubber,
    sandbox: new BubblewrapSandbox({ hidden: [...hidden, environment.managedDir] }),
    rateLimiter,
    credentials: new StoredCredentials({ vault, environment: environment.all, scrubber, reserved: [] }),
    tasks: { queue: tasks, dataDir: agentHome },
    log,
    metrics,
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
    kernel,
    tasks,
    log,
    metrics,
    tracing,
    scrubber,
    projectRoot,
    agentHome,
    driver,
    readiness,
    central,
    works || driver === 'local',
    audit,
    closeRest,
  );
}
