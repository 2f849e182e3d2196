import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { badInput, rawInput } from '../read-input.js';
import { plainCard, taskLine, tasksOf } from './task-call.js';
import { noClaims } from '../claims.js';

const MOST = 50;

export const taskListTool: Tool<Record<string, never>, RichToolOutput> = {
  name: 'task_list',
  description: 'List the background tasks of this session, newest first.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['tool.meta'],
  category: 'Tasks',
  idempotent: true,
  timeoutMs: 30_000,
  maxOutputBytes: 16_000,
  execute: async (input, _ctx, opts) => {
    const [surplus] = Object.keys(rawInput(input));
    if (surplus !== undefined) throw badInput(surplus, 'is unknown: task_list takes nothing');
    const tasks = await tasksOf(opts).list();
    const lines = tasks.slice(0, MOST).map(taskLine);
    const more = tasks.length > MOST ? [`and ${tasks.length - MOST} older ones`] : [];
    const text = tasks.length === 0 ? 'no tasks in this session' : [...lines, ...more].join('\n');
    return { content: [{ type: 'text', text }] };
  },
  describeCall: noClaims,
  presentResult: plainCard,
  presentCall: () => ({ card: 'generic', kind: 'other', title: 'list tasks' }),
};
