import { DROP_REASONS } from './dropped-samples.js';
import { LONG_SECONDS, type MetricDefinition, SECONDS, SHORT_SECONDS } from './metric-definition.js';

/** Names that people choose in their configuration, patterns of our own routes, and names of metrics, which are legal already. */
const FREE_TEXT: readonly string[] = ['provider', 'model', 'route', 'metric'];

function wordsOf(labels: readonly string[]): readonly string[] {
  return labels.filter((label) => !FREE_TEXT.includes(label));
}

function counter(
  name: string,
  help: string,
  labels: readonly string[] = [],
  fromStart: MetricDefinition['fromStart'] = [],
): MetricDefinition {
  return { name: `wrongstack_${name}`, kind: 'counter', help, labels, fromStart, words: wordsOf(labels) };
}

function gauge(name: string, help: string, labels: readonly string[] = []): MetricDefinition {
  return { name: `wrongstack_${name}`, kind: 'gauge', help, labels, words: wordsOf(labels) };
}

function histogram(
  name: string,
  help: string,
  labels: readonly string[] = [],
  buckets: readonly number[] = SECONDS,
): MetricDefinition {
  return { name: `wrongstack_${name}`, kind: 'histogram', help, labels, buckets, words: wordsOf(labels) };
}

/** What this process decided and did. */
const CALLS: readonly MetricDefinition[] = [
  counter('decisions_total', 'Decisions about tool calls.', [
    'verdict',
    'source',
    'tier',
    'capability',
    'state',
  ]),
  histogram('decision_seconds', 'Time to compute the facts and decide.', ['verdict'], SHORT_SECONDS),
  counter('policy_shadow_divergences_total', 'Decisions that rules in shadow mode would have changed.', [
    'effect',
  ]),
  counter('policy_fail_closed_total', 'Decisions that the state of the policy made stricter.', ['state']),
  counter('trust_uses_total', 'Decisions in which a stored answer lowered a demand.'),
  counter('yolo_uses_total', 'Decisions in which unattended mode lowered a demand.'),
  counter('tool_calls_total', 'Tool calls that ended, whatever their outcome.', ['tool', 'status']),
  histogram('tool_duration_seconds', 'Time that a tool itself ran.', ['tool']),
  counter('prompts_total', 'Questions put to a person about a call.'),
  counter('prompt_answers_total', 'How those questions were answered.', ['answer']),
  histogram(
    'approval_wait_seconds',
    'Time from asking for an approval to its end, of calls that waited for it.',
    ['outcome'],
    LONG_SECONDS,
  ),
  counter('approvals_total', 'Approvals of others that ended while the call waited for them.', ['outcome']),
  counter('calls_parked_total', 'Calls that ended waiting for an approval.'),
  counter('tool_loops_total', 'Repeated identical failing calls that were noticed.'),
  counter('audit_gaps_total', 'Records that could not be written to the audit log.'),
];

const MODELS: readonly MetricDefinition[] = [
  counter('model_requests_total', 'Answers of models.', ['provider', 'model']),
  counter('model_tokens_total', 'Tokens sent to and received from models.', ['provider', 'model', 'kind']),
  counter('model_cost_dollars_total', 'Cost of models, by the prices that are configured.', [
    'provider',
    'model',
  ]),
  counter('model_errors_total', 'Turns that failed for good.', ['code']),
  counter('model_retries_total', 'Requests to models that were made again.', ['status']),
  counter('compactions_total', 'Conversations that were summarised to fit.'),
  counter('runs_total', 'Runs that ended.', ['status']),
  histogram('run_seconds', 'Time of a whole run.', ['status']),
  counter('sessions_total', 'Sessions that were started.'),
  gauge('runs_active', 'Runs that are under way in this process.'),
  counter('subagents_total', 'Subagents that ended.', ['status']),
  counter('budget_warnings_total', 'Runs that passed 80 % of a limit, their own or one of a user or team.', [
    'scope',
    'limit',
  ]),
  counter('budget_stops_total', 'Runs that a limit stopped, their own or one of a user or team.', [
    'scope',
    'limit',
  ]),
  gauge('budget_used_ratio', 'Share of a limit that is used up, of the run that looked last.', [
    'scope',
    'limit',
  ]),
];

const EXTENSIONS: readonly MetricDefinition[] = [
  gauge('mcp_servers', 'MCP servers that are in a state now; "ready" are up.', ['state']),
  counter('mcp_starts_total', 'Starts of MCP servers.', ['outcome']),
  counter('mcp_reconnects_total', 'MCP servers that went away while they were in use, and what came of it.', [
    'outcome',
  ]),
  gauge('plugins', 'Plugins that are in a state now.', ['state']),
  gauge('plugins_unhealthy', 'Loaded plugins that say that they are unwell, or do not answer.'),
  counter('plugin_load_failures_total', 'Plugins that did not load, and why.', ['code']),
  counter('plugin_faults_total', 'What went wrong in plugins that are loaded.', ['code']),
];

const TASKS: readonly MetricDefinition[] = [
  counter('tasks_total', 'Background tasks that this process ran to their end.', ['tool', 'state']),
  counter('task_transitions_total', 'Background tasks that entered a state.', ['state'], [{ state: 'lost' }]),
  gauge('tasks', 'Background tasks that are in a state now.', ['state']),
  histogram('task_queue_seconds', 'Time that a task waited before it ran.'),
  histogram('task_run_seconds', 'Time from the start of a task to its end.', ['state']),
];

const PLACES: readonly MetricDefinition[] = [
  gauge('build_info', 'Always 1; its labels say what runs here.', ['version', 'node', 'role']),
  gauge('policy_bundle_age_seconds', 'Age of the policy bundle in force.'),
  gauge('policy_bundle_revision', 'Revision of the policy bundle in force.'),
  gauge('policy_state', '1 for the state that the policy is in, 0 for the others.', ['state']),
  gauge('audit_spool_bytes', 'Bytes of the local audit log that the server does not have.'),
  gauge('audit_spool_age_seconds', 'Age of the oldest record that the server does not have; 0 = it has all.'),
  gauge('unready_checks', 'Dependencies of this process that do not answer.'),
  counter('http_requests_total', 'HTTP requests that were answered.', ['method', 'route', 'status']),
  histogram('http_request_seconds', 'Time to answer a request.', ['method', 'route']),
];

const FLEET: readonly MetricDefinition[] = [
  counter('fleet_decisions_total', 'Decisions in the audit log of the organisation.', ['verdict', 'tool']),
  counter('fleet_audit_records_total', 'Records in the audit log of the organisation.', ['kind']),
  counter('fleet_reports_total', 'Reports of counters by command lines.'),
  gauge('approvals_waiting', 'Approvals that wait for somebody.'),
  counter('fleet_approvals_total', 'Approvals that the server was asked for, by how they ended.', [
    'outcome',
  ]),
  histogram(
    'fleet_approval_wait_seconds',
    'Time from asking the server for an approval to its end.',
    ['outcome'],
    LONG_SECONDS,
  ),
  histogram(
    'audit_ship_lag_seconds',
    'Time from a decision on a machine to its record on the server, by both clocks.',
    [],
    LONG_SECONDS,
  ),
  gauge('fleet_machines', 'Machines by the state of the policy that they reported last.', ['state']),
  gauge('fleet_audit_spool_bytes', 'Bytes of audit logs that machines reported as not shipped yet.'),
];

/** What the sink says about itself. Always there. */
export const OWN_METRICS: readonly MetricDefinition[] = [
  counter(
    'metrics_dropped_total',
    'Samples that were not recorded, and why.',
    ['reason'],
    DROP_REASONS.map((reason) => ({ reason })),
  ),
  counter('metrics_overflow_total', 'Samples with more label values than are kept; they are in "other".', [
    'metric',
  ]),
  counter('metrics_collector_failures_total', 'Collectors that threw or did not answer in time.', [
    'collector',
  ]),
];

/** Every metric of ours. What is neither here, nor below, nor a plugin's is dropped, and counted. */
export const METRICS: readonly MetricDefinition[] = [
  ...CALLS,
  ...MODELS,
  ...EXTENSIONS,
  ...TASKS,
  ...PLACES,
  ...FLEET,
];

// What a server counts itself is nobody's to report, and a plugin's names mean something on their own machine alone.
const SERVERS_OWN = /^wrongstack_(?:fleet|http|metrics)_|^wrongstack_audit_ship_/;

/** Whether a command line reports its growth to the server. */
export function isReported({ name, kind }: MetricDefinition): boolean {
  return kind !== 'gauge' && name.startsWith('wrongstack_') && !SERVERS_OWN.test(name);
}
