/** What each line of `--output stream-json` must look like. Written by hand from the format, not from the code. */

const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
const count = { type: 'integer', minimum: 0 };
const nullableCount = { type: ['integer', 'null'] };
const usage = exact({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});
const policy = exact({
  id: nullableText,
  revision: nullableCount,
  state: { enum: ['none', 'fresh', 'stale', 'expired', 'undetermined'] },
});
const source = exact({
  kind: { enum: ['rule', 'floor', 'tool', 'actor', 'state', 'user'] },
  id: text,
  tier: nullableText,
  document: nullableText,
  revision: nullableCount,
});
const file = exact({ path: text, added: count, removed: count });
const executedStatus = { enum: ['ok', 'failed', 'denied', 'timeout', 'aborted'] };
const failure = exact({ code: text, message: text, hint: nullableText });

export const RESULT_PROPERTIES = {
  status: { enum: ['completed', 'failed', 'limit', 'stopped_by_policy', 'interrupted'] },
  exitCode: count,
  text,
  model: text,
  turns: count,
  durationMs: count,
  usage,
  costUsd: { type: ['number', 'null'] },
  calls: exact({ total: count, ok: count, failed: count, denied: count, timeout: count, aborted: count }),
  denials: list(
    exact({
      call: text,
      tool: text,
      decision: nullableText,
      rule: nullableText,
      because: text,
      instead: nullableText,
    }),
  ),
  pending: list(exact({ call: text, approval: text, expiresAt: nullableText })),
  files: list(file),
  tasks: list(exact({ task: text, state: text })),
  policy,
  error: { anyOf: [{ type: 'null' }, failure] },
};

const FIELDS: Readonly<
  Record<string, { required: Record<string, object>; optional?: Record<string, object> }>
> = {
  'run.started': {
    required: {
      version: text,
      cwd: text,
      model: text,
      mode: text,
      tools: list(text),
      resumed: { type: 'boolean' },
      policy,
    },
  },
  'message.delta': { required: { message: text, text } },
  'message.completed': { required: { message: text, text, stopReason: text, usage } },
  'tool.requested': { required: { call: text, tool: text, input: {} } },
  'tool.decided': {
    required: {
      call: text,
      decision: text,
      verdict: { enum: ['allow', 'confirm', 'approve', 'deny'] },
      by: source,
      floors: list(exact({ kind: text, verdict: text, source, reason: text })),
      grants: list({ type: 'object', required: ['kind', 'id', 'lowers'] }),
      because: text,
      instead: nullableText,
      micros: { type: 'number' },
    },
  },
  'approval.waiting': {
    required: { call: text, approval: text, need: count, have: count, expiresAt: nullableText },
  },
  'approval.resolved': { required: { call: text, approval: text, outcome: text, by: list(text) } },
  'tool.started': { required: { call: text } },
  'tool.progress': {
    required: { call: text, event: exact({ type: text }, { text, data: { type: 'object' } }) },
  },
  'tool.executed': {
    required: {
      call: text,
      status: executedStatus,
      isError: { type: 'boolean' },
      durationMs: count,
      output: list({ type: 'object' }),
      truncated: { type: 'boolean' },
      files: list(file),
    },
    optional: { spill: text, exitCode: { type: 'integer' } },
  },
  'task.changed': {
    required: { task: text, call: text, state: text },
    optional: { exitCode: { type: 'integer' } },
  },
  'policy.changed': { required: { state: text, revision: nullableCount, ageSeconds: nullableCount } },
  'model.retry': { required: { attempt: count, of: count, waitMs: count, status: nullableCount } },
  error: { required: { code: text, message: text, hint: nullableText, fatal: { type: 'boolean' } } },
  result: { required: RESULT_PROPERTIES },
};

const ENVELOPE = {
  v: { const: 1 },
  seq: count,
  ts: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' },
  session: text,
  run: text,
  agent: text,
};

export const STREAM_SCHEMA = {
  oneOf: Object.entries(FIELDS).map(([type, { required, optional = {} }]) =>
    exact({ ...ENVELOPE, type: { const: type }, ...required }, optional),
  ),
};

function exact(required: Record<string, object>, optional: Record<string, object> = {}): object {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

function list(items: object): object {
  return { type: 'array', items };
}
