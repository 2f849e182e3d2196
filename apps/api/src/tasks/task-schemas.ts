import type { Schema } from '../http/route-contract.js';

/** A task as it is shown: see `TaskRecord` in contracts. */
export const TASK: Schema = {
  type: 'object',
  required: ['id', 'state', 'tool', 'owner'],
  properties: {
    id: { type: 'string' },
    tool: { type: 'string' },
    state: { enum: ['queued', 'running', 'stopping', 'completed', 'failed', 'killed', 'lost'] },
    owner: { type: 'object' },
    exit: { type: ['object', 'null'] },
  },
};

export const OUTPUT: Schema = {
  type: 'object',
  required: ['task', 'state', 'text', 'from', 'next', 'lost', 'done'],
  properties: {
    task: { type: 'string' },
    state: { type: 'string' },
    exit: { type: ['object', 'null'] },
    text: { type: 'string' },
    from: { type: 'integer', description: 'First byte of the text.' },
    next: { type: 'integer', description: 'The cursor to go on with.' },
    lost: { type: 'integer', description: 'Bytes before the text that are no longer kept.' },
    done: { type: 'boolean' },
  },
};
