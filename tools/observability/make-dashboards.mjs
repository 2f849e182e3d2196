// `node tools/observability/make-dashboards.mjs`: writes grafana/dashboards/*.json. A dashboard is a list of panels; all that Grafana
// wants beside it is the same for each, and here once.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Every replica shows the fleet's totals: the largest is taken. */
const fleet = (expression, by) => `sum by (${by}) (max by (verdict, tool) (${expression}))`;
const rate = (metric, by) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
const quantile = (q, metric, by = '') =>
  `histogram_quantile(${q}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${metric}_bucket[$__rate_interval])))`;

/** [title, unit, [[expression, legend], …], kind] */
export const DASHBOARDS = {
  fleet: {
    title: 'WrongStack · fleet',
    panels: [
      ['Processes that answer', 'short', [['sum by (job) (up{job=~"wrongstack.*"})', '{{job}}']], 'stat'],
      [
        'What runs',
        'short',
        [['count by (version, role) (wrongstack_build_info)', '{{role}} {{version}}']],
        'stat',
      ],
      ['Approvals waiting', 'short', [['max(wrongstack_approvals_waiting)', 'waiting']], 'stat'],
      [
        'Dependencies that do not answer',
        'short',
        [['sum by (instance) (wrongstack_unready_checks)', '{{instance}}']],
        'stat',
      ],
      [
        'Decisions of the fleet',
        'ops',
        [[fleet('rate(wrongstack_fleet_decisions_total[$__rate_interval])', 'verdict'), '{{verdict}}']],
      ],
      [
        'Records in the audit log',
        'ops',
        [
          [
            'sum by (kind) (max by (kind) (rate(wrongstack_fleet_audit_records_total[$__rate_interval])))',
            '{{kind}}',
          ],
        ],
      ],
      [
        'Machines by the state of their policy',
        'short',
        [['max by (state) (wrongstack_fleet_machines)', '{{state}}']],
      ],
      [
        'Audit logs yet to be shipped',
        'bytes',
        [['max(wrongstack_fleet_audit_spool_bytes)', 'all machines']],
      ],
      [
        'From a decision to its record here',
        's',
        [
          [quantile(0.5, 'wrongstack_audit_ship_lag_seconds'), '50 %'],
          [quantile(0.95, 'wrongstack_audit_ship_lag_seconds'), '95 %'],
        ],
      ],
      ['Runs', 'ops', [[rate('wrongstack_runs_total', 'status'), '{{status}}']]],
      ['Time of runs, 95 %', 's', [[quantile(0.95, 'wrongstack_run_seconds', 'status'), '{{status}}']]],
      ['Requests by status', 'reqps', [[rate('wrongstack_http_requests_total', 'status'), '{{status}}']]],
      [
        'Answer time by route, 95 %',
        's',
        [[quantile(0.95, 'wrongstack_http_request_seconds', 'route'), '{{route}}']],
      ],
      [
        'Event loop lag, 99 %',
        's',
        [['nodejs_eventloop_lag_p99_seconds{job=~"wrongstack.*"}', '{{instance}}']],
      ],
      [
        'MCP servers that started and came back',
        'ops',
        [
          [rate('wrongstack_mcp_starts_total', 'outcome'), 'started: {{outcome}}'],
          [rate('wrongstack_mcp_reconnects_total', 'outcome'), 'went away: {{outcome}}'],
        ],
      ],
      [
        'Plugins that did not load, and faults of those that did',
        'ops',
        [
          [rate('wrongstack_plugin_load_failures_total', 'code'), 'not loaded: {{code}}'],
          [rate('wrongstack_plugin_faults_total', 'code'), '{{code}}'],
        ],
      ],
      ['Memory', 'bytes', [['process_resident_memory_bytes{job=~"wrongstack.*"}', '{{instance}}']]],
    ],
  },
  policy: {
    title: 'WrongStack · policy',
    panels: [
      [
        'Share of denials, half an hour',
        'percentunit',
        [['wrongstack:fleet_denials:ratio30m', 'denied']],
        'stat',
      ],
      [
        'Denials of the fleet by tool',
        'ops',
        [
          [
            fleet('rate(wrongstack_fleet_decisions_total{verdict="deny"}[$__rate_interval])', 'tool'),
            '{{tool}}',
          ],
        ],
      ],
      [
        'Decisions by verdict and tier',
        'ops',
        [[rate('wrongstack_decisions_total', 'verdict, tier'), '{{verdict}} {{tier}}']],
      ],
      [
        'Decisions by capability',
        'ops',
        [[rate('wrongstack_decisions_total', 'capability'), '{{capability}}']],
      ],
      [
        'Bundle that is published',
        'short',
        [['max(wrongstack_policy_bundle_revision{job="wrongstack-api"})', 'revision']],
        'stat',
      ],
      [
        'Decisions by the state of the policy',
        'ops',
        [[rate('wrongstack_decisions_total', 'state'), '{{state}}']],
      ],
      [
        'Time to decide',
        's',
        [
          [quantile(0.5, 'wrongstack_decision_seconds'), '50 %'],
          [quantile(0.99, 'wrongstack_decision_seconds'), '99 %'],
        ],
      ],
      ['Tool calls by outcome', 'ops', [[rate('wrongstack_tool_calls_total', 'status'), '{{status}}']]],
      [
        'Time of tools, 95 %',
        's',
        [[quantile(0.95, 'wrongstack_tool_duration_seconds', 'tool'), '{{tool}}']],
      ],
      [
        'Approvals by how they ended',
        'ops',
        [[rate('wrongstack_fleet_approvals_total', 'outcome'), '{{outcome}}']],
      ],
      [
        'Waiting for an approval, 95 %',
        's',
        [[quantile(0.95, 'wrongstack_fleet_approval_wait_seconds', 'outcome'), '{{outcome}}']],
      ],
      ['Questions to people', 'ops', [[rate('wrongstack_prompt_answers_total', 'answer'), '{{answer}}']]],
      [
        'Stored answers and unattended mode',
        'ops',
        [
          ['sum(rate(wrongstack_trust_uses_total[$__rate_interval]))', 'stored answer'],
          ['sum(rate(wrongstack_yolo_uses_total[$__rate_interval]))', 'unattended'],
        ],
      ],
      [
        'Shadow rules that would have changed it',
        'ops',
        [[rate('wrongstack_policy_shadow_divergences_total', 'effect'), '{{effect}}']],
      ],
    ],
  },
  tasks: {
    title: 'WrongStack · background tasks',
    panels: [
      ['Open tasks', 'short', [['sum by (state) (wrongstack_tasks)', '{{state}}']], 'stat'],
      ['Transitions', 'ops', [[rate('wrongstack_task_transitions_total', 'state'), '{{state}}']]],
      [
        'Waiting before they run',
        's',
        [
          [quantile(0.5, 'wrongstack_task_queue_seconds'), '50 %'],
          [quantile(0.95, 'wrongstack_task_queue_seconds'), '95 %'],
        ],
      ],
      ['Running, 95 %', 's', [[quantile(0.95, 'wrongstack_task_run_seconds', 'state'), '{{state}}']]],
      ['Ended by tool', 'ops', [[rate('wrongstack_tasks_total', 'tool, state'), '{{tool}} {{state}}']]],
    ],
  },
  cost: {
    title: 'WrongStack · models and cost',
    panels: [
      [
        'Tokens in the last day',
        'short',
        [['sum by (kind) (increase(wrongstack_model_tokens_total[1d]))', '{{kind}}']],
        'stat',
      ],
      [
        'Cost in the last day',
        'currencyUSD',
        [['sum(increase(wrongstack_model_cost_dollars_total[1d]))', 'dollars']],
        'stat',
      ],
      [
        'Runs near a limit, and stopped by one, in the last day',
        'short',
        [
          [
            'sum by (scope, limit) (increase(wrongstack_budget_warnings_total[1d]))',
            'near {{scope}} {{limit}}',
          ],
          [
            'sum by (scope, limit) (increase(wrongstack_budget_stops_total[1d]))',
            'stopped {{scope}} {{limit}}',
          ],
        ],
        'stat',
      ],
      [
        'Cost by model',
        'currencyUSD',
        [[rate('wrongstack_model_cost_dollars_total', 'provider, model'), '{{provider}} {{model}}']],
      ],
      [
        'Tokens by model',
        'short',
        [[rate('wrongstack_model_tokens_total', 'provider, model'), '{{provider}} {{model}}']],
      ],
      ['Tokens by kind', 'short', [[rate('wrongstack_model_tokens_total', 'kind'), '{{kind}}']]],
      [
        'Answers of models',
        'reqps',
        [[rate('wrongstack_model_requests_total', 'provider, model'), '{{provider}} {{model}}']],
      ],
      [
        'Share of what a cache gave',
        'percentunit',
        [
          [
            'sum(rate(wrongstack_model_tokens_total{kind="cache_read"}[$__rate_interval])) / sum(rate(wrongstack_model_tokens_total{kind=~"input|cache_read"}[$__rate_interval]))',
            'cached',
          ],
        ],
      ],
      [
        'Errors and retries',
        'reqps',
        [
          [rate('wrongstack_model_errors_total', 'code'), '{{code}}'],
          [rate('wrongstack_model_retries_total', 'status'), 'retry {{status}}'],
        ],
      ],
      [
        'Conversations that were summarised',
        'ops',
        [['sum(rate(wrongstack_compactions_total[$__rate_interval]))', 'compactions']],
      ],
    ],
  },
};

/** The file as Grafana reads it. */
export function dashboardJson(name) {
  const { title, panels } = DASHBOARDS[name];
  let [x, y, tallest] = [0, 0, 0];
  const placed = panels.map(([heading, unit, queries, kind = 'timeseries'], index) => {
    const [w, h] = kind === 'stat' ? [6, 5] : [12, 8];
    if (x + w > 24) [x, y, tallest] = [0, y + tallest, 0];
    const gridPos = { h, w, x, y };
    x += w;
    tallest = Math.max(tallest, h);
    return {
      id: index + 1,
      type: kind,
      title: heading,
      gridPos,
      datasource: { type: 'prometheus', uid: '${datasource}' },
      fieldConfig: { defaults: { unit }, overrides: [] },
      targets: queries.map(([expr, legendFormat], place) => ({
        refId: 'ABCDEFGH'[place],
        datasource: { type: 'prometheus', uid: '${datasource}' },
        expr,
        legendFormat,
      })),
    };
  });
  const datasource = {
    name: 'datasource',
    label: 'Data source',
    type: 'datasource',
    query: 'prometheus',
  };
  return {
    uid: `wrongstack-${name}`,
    title,
    tags: ['wrongstack'],
    schemaVersion: 41,
    editable: true,
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: { list: [datasource] },
    panels: placed,
  };
}

export const fileOf = (name) => path.join(import.meta.dirname, 'grafana/dashboards', `${name}.json`);
export const textOf = (name) => `${JSON.stringify(dashboardJson(name), null, 2)}\n`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of Object.keys(DASHBOARDS)) writeFileSync(fileOf(name), textOf(name));
}
