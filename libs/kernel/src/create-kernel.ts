import {
  ApprovalChannel,
  AuditLog,
  type Clock,
  type Config,
  type Context,
  type CredentialResolver,
  type EventMap,
  type Logger,
  messageOf,
  MetricsSink,
  PermissionPolicy,
  type RateLimiter,
  type Sandbox,
  SecretScrubber,
  type TaskQueue,
  type TaskWork,
  silentLogger,
  systemClock,
} from '@wrongstack/contracts';
import { changedKeys, ConfigStore } from './config/config-store.js';
import { DEFAULT_CONFIG } from './config/defaults.js';
import { Container } from './container/container.js';
import { TOKENS } from './container/tokens.js';
import { EventBus } from './events/event-bus.js';
import { EXECUTION_LIMITS } from './execution/call-scope.js';
import type { ExecutionLimits, ExecutionPorts } from './execution/call-scope.js';
import { ToolExecutor } from './execution/tool-executor.js';
import { LifecycleRegistry } from './extensions/lifecycle-registry.js';
import { ToolHooks } from './hooks/tool-hooks.js';
import { Agent } from './loop/agent.js';
import type { AgentOptions, AgentPorts } from './loop/agent-options.js';
import { processPathLocks } from './loop/path-locks.js';
import { realSleep } from './loop/retry.js';
import type { Sleep } from './loop/retry.js';
import { DefaultSystemPromptBuilder } from './loop/system-prompt.js';
import { NoopMetricsSink } from './metrics/noop-metrics-sink.js';
import { recordEventMetrics } from './metrics/record-event-metrics.js';
import { createPipelines } from './pipeline/create-pipelines.js';
import type { Pipelines } from './pipeline/create-pipelines.js';
import { ProviderRegistry } from './registry/provider-registry.js';
import { SlashCommandRegistry } from './registry/slash-command-registry.js';
import { ToolRegistry } from './registry/tool-registry.js';
import type { MutationGuard } from './registry/tool-registry.js';
import { createTaskWork } from './tasks/task-runner.js';

/** What the host binds. What decides, asks, records and scrubs has no default: nobody gets a kernel without it. */
export interface KernelPorts {
  readonly policy: PermissionPolicy;
  readonly approvals: ApprovalChannel;
  readonly audit: AuditLog;
  readonly scrubber: SecretScrubber;
  /** A store, or a loaded configuration; the defaults when missing. */
  readonly config?: ConfigStore | Config;
  /** From the merged locks; asked for each call. Deny when missing. */
  readonly auditFailure?: ExecutionPorts['auditFailure'];
  readonly metrics?: MetricsSink;
  /** Missing = no sandbox, rate limit or credential can be had, and calls that need one are stopped. */
  readonly sandbox?: Sandbox | null;
  readonly rateLimiter?: RateLimiter | null;
  readonly credentials?: CredentialResolver | null;
  /** Missing = nothing can run in the background. */
  readonly tasks?: { readonly queue: TaskQueue; readonly dataDir: string } | null;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  readonly limits?: Partial<ExecutionLimits>;
  /** Who may wrap or unregister tools of others; the plugin host's rule. */
  readonly mayMutate?: MutationGuard;
  /** Facts for the system prompt, one line each. */
  readonly environment?: (ctx: Context) => readonly string[];
}

export interface Kernel {
  readonly events: EventBus;
  readonly container: Container;
  readonly pipelines: Pipelines;
  readonly tools: ToolRegistry;
  readonly providers: ProviderRegistry;
  readonly slashCommands: SlashCommandRegistry;
  /** The two seams of the executor. */
  readonly hooks: ToolHooks;
  readonly lifecycle: LifecycleRegistry;
  readonly config: ConfigStore;
  readonly systemPrompt: DefaultSystemPromptBuilder;
  readonly executor: ToolExecutor;
  /** Null = nothing can run in the background. */
  readonly tasks: TaskQueue | null;
  /** What runs a task; the host gives it to the queue that shall run tasks in this process. */
  readonly taskWork: TaskWork;
  createAgent(options: AgentOptions): Agent;
}

/** All of the kernel's wiring, in the order in which things need one another. Starts nothing and reads nothing. */
export function createKernel(ports: KernelPorts): Kernel {
  const { policy, approvals, audit, scrubber } = ports;
  const log = ports.log ?? silentLogger;
  const clock = ports.clock ?? systemClock;
  const metrics = ports.metrics ?? new NoopMetricsSink();
  const events = new EventBus({
    onListenerError: (error, event) => log.warn('a listener failed', { event, message: messageOf(error) }),
  });
  if (ports.metrics !== undefined) recordEventMetrics(events, metrics, clock);
  const config = configStore(ports.config, events, log);
  const tools = new ToolRegistry({
    onChange: (event, payload) => events.emit(event, payload),
    ...(ports.mayMutate === undefined ? {} : { mayMutate: ports.mayMutate }),
  });
  const pipelines = boundedPipelines(events);
  const hooks = new ToolHooks();
  const lifecycle = new LifecycleRegistry((failure) => events.emit('hook.failed', failure));
  const tasks = ports.tasks?.queue ?? null;
  const execution: ExecutionPorts = {
    tools,
    hooks,
    policy,
    approvals,
    audit,
    auditFailure: ports.auditFailure ?? (() => 'deny'),
    scrubber,
    sandbox: ports.sandbox ?? null,
    rateLimiter: ports.rateLimiter ?? null,
    credentials: ports.credentials ?? null,
    tasks,
    metrics,
    events,
    clock,
    log,
    settings: () => config.current.tools,
    limits: { ...EXECUTION_LIMITS, ...ports.limits },
  };
  const executor = new ToolExecutor(execution);
  tasks?.onChange(({ id, call, state, exit }) => {
    events.emit('task.changed', { task: id, call, state, exitCode: exit?.exitCode ?? null });
  });
  const prompt = {
    instructions: () => config.current.agent.instructions,
    onFailure: (failure: EventMap['hook.failed']) => events.emit('hook.failed', failure),
    ...(ports.environment === undefined ? {} : { environment: ports.environment }),
  };
  const systemPrompt = new DefaultSystemPromptBuilder({ ...prompt, tools });
  const agentPorts: AgentPorts = {
    executor,
    tools,
    pipelines,
    lifecycle,
    systemPrompt,
    subagentPrompt: (role, offered) => new DefaultSystemPromptBuilder({ ...prompt, role, tools: offered }),
    createAgent: (options) => new Agent(agentPorts, options),
    events,
    metrics,
    scrubber,
    clock,
    log,
    locks: processPathLocks,
    tasks,
    random: ports.random ?? Math.random,
    sleep: ports.sleep ?? realSleep,
    config: () => config.current,
  };
  const kernel: Kernel = {
    events,
    container: new Container(),
    pipelines,
    tools,
    providers: new ProviderRegistry(),
    slashCommands: new SlashCommandRegistry(),
    hooks,
    lifecycle,
    config,
    systemPrompt,
    executor,
    tasks,
    taskWork: createTaskWork({
      ...execution,
      dataDir: ports.tasks?.dataDir ?? '',
      execute: executor.execute.bind(executor),
    }),
    createAgent: agentPorts.createAgent,
  };
  bindAll(kernel, { policy, approvals, audit, scrubber, metrics, log });
  return kernel;
}

function configStore(given: KernelPorts['config'], events: EventBus, log: Logger): ConfigStore {
  if (given instanceof ConfigStore) {
    given.watch((next, previous) => {
      events.emit('config.changed', { keys: changedKeys(previous, next) });
    });
    return given;
  }
  return new ConfigStore(given ?? DEFAULT_CONFIG, {
    log,
    onChange: (change) => events.emit('config.changed', change),
  });
}

/** The host's boundary: middleware that throws is announced and passed over, so that no plugin can stop the agent. */
function boundedPipelines(events: EventBus): Pipelines {
  const pipelines = createPipelines();
  for (const pipeline of pipelines.all()) {
    pipeline.setErrorHandler((error, where) => {
      events.emit('pipeline.failed', {
        pipeline: where.pipeline,
        owner: where.owner,
        handler: where.name,
        message: messageOf(error),
      });
      return 'continue';
    });
  }
  return pipelines;
}

/** For plugins and tests, which look things up; the kernel itself never does. */
function bindAll(
  kernel: Kernel,
  ports: Pick<KernelPorts, 'policy' | 'approvals' | 'audit' | 'scrubber'> & {
    readonly metrics: MetricsSink;
    readonly log: Logger;
  },
): void {
  const { container } = kernel;
  container.bind(TOKENS.ConfigStore, { value: kernel.config });
  container.bind(TOKENS.EventBus, { value: kernel.events });
  container.bind(TOKENS.ToolRegistry, { value: kernel.tools });
  container.bind(TOKENS.ToolExecutor, { value: kernel.executor });
  container.bind(TOKENS.Pipelines, { value: kernel.pipelines });
  container.bind(TOKENS.SlashCommands, { value: kernel.slashCommands });
  container.bind(TOKENS.LifecycleHooks, { value: kernel.lifecycle });
  container.bind(TOKENS.ToolHooks, { value: kernel.hooks });
  container.bind(TOKENS.Logger, { value: ports.log });
  container.bind(PermissionPolicy, { value: ports.policy });
  container.bind(ApprovalChannel, { value: ports.approvals });
  container.bind(AuditLog, { value: ports.audit });
  container.bind(SecretScrubber, { value: ports.scrubber });
  container.bind(MetricsSink, { value: ports.metrics });
}
