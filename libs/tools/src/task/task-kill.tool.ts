import { isFinalState } from '@wrongstack/contracts';
import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { rawInput, shown, text } from '../read-input.js';
import { plainCard, taskLine, tasksOf, unknownTask } from './task-call.js';
import { noClaims } from '../claims.js';

export interface TaskKillInput {
  readonly task: string;
}

export const taskKillTool: Tool<TaskKillInput, RichToolOutput> = {
  name: 'task_kill',
  description: 'Stop a background task and everything that it started.',
  inputSchema: {
    type: 'object',
    properties: { task: { type: 'string', minLength: 1 } },
    required: ['task'],
    additionalProperties: false,
  },
  permission: 'auto',
  // It ends what this session began, and changes nothing of the project.
  mutating: false,
  riskTier: 'safe',
  capabilities: ['tool.meta'],
  category: 'Tasks',
  idempotent: true,
  timeoutMs: 30_000,
  maxOutputBytes: 4_000,
  execute: async (input, _ctx, opts) => {
    const id = text(rawInput(input), 'task');
    const tasks = tasksOf(opts);
    const before = await tasks.get(id);
    if (before === null) throw unknownTask(id);
    const after = (await tasks.kill(id, 'stopped by the agent')) ?? before;
    const note = isFinalState(before.state) ? 'It had ended already: ' : 'Stopping: ';
    return {
      content: [{ type: 'text', text: note + taskLine(after) }],
      meta: { task: id, state: after.state },
    };
  },
  describeCall: noClaims,
  presentResult: plainCard,
  presentCall: (input) => ({
    card: 'generic',
    kind: 'other',
    title: `stop ${shown(input, 'task', 'a task')}`,
  }),
};
