import { type TaskOptions, VERDICTS } from '@wrongstack/contracts';
import { ApiProblem } from '../errors/api-problem.js';
import type { Schema } from '../http/route-contract.js';
import { TASK } from '../tasks/task-schemas.js';

const LONGEST_DELAY_MS = 30 * 24 * 3_600_000;
const LONGEST_KEY = 200;

export interface CallBody {
  readonly input?: unknown;
  readonly priority?: number;
  readonly delayMs?: number;
}

export const CALL: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    input: {
      type: 'object',
      additionalProperties: true,
      description: "The tool's input: `wstack tool show <name>` has its schema.",
    },
    priority: { type: 'integer', minimum: 0, maximum: 100, description: 'Higher runs earlier.' },
    delayMs: { type: 'integer', minimum: 0, maximum: LONGEST_DELAY_MS },
  },
};

export const CALL_EXAMPLE = { input: { command: 'npm test', run_in_background: true } };

/** `ContentBlock` of contracts. */
const BLOCK: Schema = {
  anyOf: [
    {
      type: 'object',
      required: ['type', 'text'],
      properties: { type: { const: 'text' }, text: { type: 'string' } },
    },
    {
      type: 'object',
      required: ['type', 'mediaType', 'data'],
      properties: {
        type: { const: 'image' },
        mediaType: { type: 'string' },
        data: { type: 'string', description: 'Base64.' },
      },
    },
  ],
};

export const OUTCOME: Schema = {
  type: 'object',
  required: ['call', 'tool', 'status', 'isError', 'output', 'truncated', 'decision'],
  properties: {
    call: { type: 'string' },
    tool: { type: 'string' },
    status: { type: 'string' },
    isError: { type: 'boolean' },
    output: { type: 'array', items: BLOCK },
    truncated: { type: 'boolean' },
    decision: {
      type: ['object', 'null'],
      required: ['id', 'verdict', 'because'],
      properties: { id: { type: 'string' }, verdict: { enum: [...VERDICTS] }, because: { type: 'string' } },
    },
    task: TASK,
    approval: {
      type: 'object',
      description: 'The request that others answer; see `/v1/approvals/{id}`.',
      required: ['id', 'expiresAt'],
      properties: { id: { type: 'string' }, expiresAt: { type: ['string', 'null'] } },
    },
  },
};

export function taskOptions({ priority, delayMs }: CallBody, key: string | undefined): TaskOptions {
  if (key !== undefined && (key === '' || key.length > LONGEST_KEY))
    throw new ApiProblem(400, 'request.invalid', `Idempotency-Key must have 1 to ${LONGEST_KEY} characters`);
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(key === undefined ? {} : { key }),
  };
}
