import path from 'node:path';
import {
  BubblewrapSandbox,
  createJsonLogger,
  ensureAgentHome,
  FileSecretVault,
  JsonlAuditLog,
  JsonlSessionStore,
  LocalTaskQueue,
  isReported,
  LocalRateLimiter,
  PatternSecretScrubber,
  PrometheusMetricsSink,
  StoredCredentials,
} from '@wrongstack/adapters';
import {
  type Clock,
  type Config,
  type Logger,
  type SecretScrubber,
  systemClock,
} from '@wrongstack/contracts';
import { ConfigStore, loadConfig } from '@wrongstack/kernel';
import {
  credentialReason,
  FileTrustStores,
  JoinedPolicies,
  LocalPolicies,
  NotEnrolled,
  type PolicyEngineOptions,
} from '@wrongstack/policy';
import { defaultCredentials } from '@wrongstack/providers';
import { ExtensionSlot } from '../extensions/extension-slot.js';
import type { BootRequest } from './boot-request.js';
import type { Centre } from './centre.js';
import { LocalUsage } from '../budgets/local-usage.js';
import { fileLog } from './file-log.js';
import { mayBeEnrolled } from './may-be-enrolled.js';
import { SessionControl, SwitchableApprovals } from './session-control.js';

export type HostParts = Awaited<ReturnType<typeof createHostParts>>;

/**
 * Every adapter of the command line, made but idle: nothing here opens, locks or asks before it is used. Our own folder
 * is made, or refused, before anything can be made below it.
 */
export async function createHostParts(request: BootRequest, clock: Clock = systemClock) {
  const { environment, paths, projectRoot } = request;
  ensureAgentHome(paths.agentHome, 'read');
  const { config, ignored } = await loadConfig({
    userFile: paths.userConfig,
    projectFile: path.join(projectRoot, '.wrongstack', 'config.json'),
    overrides: request.overrides,
  });
  const store = new ConfigStore(config);
  const scrubber = new PatternSecretScrubber({
    isCredentialFile: (file) => credentialReason(file, environment.home) !== null,
  });
  const vault = new FileSecretVault({
    file: path.join(paths.vault, 'secrets'),
    keyFile: path.join(paths.vault, 'key'),
    clock,
  });
  const extensions = new ExtensionSlot(scrubber);
  const traces: { traceId: () => string | null } = { traceId: () => null };
  const log = loggerOf(request, config, scrubber, clock, traces);
  const metrics = request.metrics ?? new PrometheusMetricsSink({ log });
  const centre = await centreFor(request, clock, scrubber, metrics);
  const local = new LocalPolicies({ agentHome: paths.agentHome, managedFolder: paths.managedDir });
  const documents =
    request.documents ?? (centre === null ? local : new JoinedPolicies([centre.policy, local]));
  const trust = new FileTrustStores(paths.agentHome);
  const policyOptions: PolicyEngineOptions = {
    documents,
    trust,
    // Whoever decides with other documents asks what those would do.
    state: centre === null || request.documents !== undefined ? new NotEnrolled() : centre.state,
    clock,
    home: environment.home,
    agentHome: paths.agentHome,
    scrub: (text) => scrubber.scrub(text),
    toolchainScratch: [],
    pluginDigest: extensions.digestOf,
    profile: () => store.current.policy.profile ?? 'guide',
  };
  const sessions = new JsonlSessionStore(paths.sessions, { clock });
  const subagentSessions = new JsonlSessionStore(path.join(paths.sessions, 'subagents'), { clock });
  const clients = new JsonlSessionStore(path.join(paths.sessions, 'mcp'), { clock });
  return {
    request,
    clock,
    config: store,
    ignoredConfig: ignored,
    unreadPolicies: () => local.unread(projectRoot),
    extensions,
    scrubber,
    vault,
    documents,
    trust,
    policyOptions,
    sessions,
    subagentSessions,
    localUsage: new LocalUsage({
      stores: [sessions, subagentSessions, clients],
      prices: () => store.current.prices,
      clock,
    }),
    audit: new JsonlAuditLog(paths.audit, { clock }),
    // A confined command must not read what decides about commands, nor the key of the vault.
    sandbox: new BubblewrapSandbox({
      hidden: [
        paths.vault,
        paths.sessions,
        paths.audit,
        paths.tasks,
        paths.control,
        path.join(paths.agentHome, 'projects'),
        paths.managedDir,
      ],
    }),
    rateLimiter: new LocalRateLimiter(),
    tasks: new LocalTaskQueue({ folder: paths.tasks, clock }),
    // Tools get what they declare, never the keys of model providers.
    credentials: new StoredCredentials({
      vault,
      environment: environment.all,
      scrubber,
      reserved: Object.values(defaultCredentials),
    }),
    metrics,
    traces,
    centre,
    control: new SessionControl(request.session, () => centre !== null && centre.identity !== null),
    approvals: new SwitchableApprovals(centre?.approvals ?? null),
    log,
  };
}

/** Null on a machine and an account that belong to no control plane: then nothing of it is loaded. */
async function centreFor(
  { paths, session }: BootRequest,
  clock: Clock,
  scrubber: SecretScrubber,
  metrics: PrometheusMetricsSink,
): Promise<Centre | null> {
  if (!mayBeEnrolled(paths)) return null;
  const { openCentre } = await import('./centre.js');
  return openCentre({
    paths,
    clock,
    scrub: (text) => scrubber.scrub(text),
    interactive: session.interactive,
    takeGrowth: () => metrics.growth.take(isReported),
  });
}

/** One JSON object a line in a private file; with `--debug` everything, on stderr. */
function loggerOf(
  { debug, paths }: BootRequest,
  config: Config,
  scrubber: SecretScrubber,
  clock: Clock,
  traces: { readonly traceId: () => string | null },
): Logger {
  // The same id as the spans have, on every line of a run.
  const current = (): Readonly<Record<string, string>> => {
    const id = traces.traceId();
    return id === null ? {} : { trace_id: id };
  };
  if (debug) {
    return createJsonLogger({
      level: 'debug',
      current,
      write: (line) => void process.stderr.write(line),
      scrubber,
      clock,
    });
  }
  return createJsonLogger({ level: config.log.level, write: fileLog(paths.log), scrubber, clock, current });
}
