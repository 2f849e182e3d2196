import { isFinalState } from '@wrongstack/contracts';
import type { Context, RichToolOutput, TaskReading, Tool, ToolOptions } from '@wrongstack/contracts';
import { optionalInteger, rawInput, shown, text } from '../read-input.js';
import { plainCard, tasksOf, unknownTask } from './task-call.js';
import { noClaims } from '../claims.js';

const MOST_WAIT_SECONDS = 60;
const MOST_BYTES = 24_000;

export interface TaskOutputInput {
  readonly task: string;
  readonly cursor?: number;
  readonly wait_seconds?: number;
}

export const taskOutputTool: Tool<TaskOutputInput, RichToolOutput> = {
  name: 'task_output',
  description:
    'What a task wrote since a cursor, its state, and the next cursor. wait_seconds waits for something new.',
  inputSchema: {
    type: 'object',
    properties: {
      task: { type: 'string', minLength: 1 },
      cursor: { type: 'integer', minimum: 0, description: 'From the last answer; 0 = from the start' },
      wait_seconds: { type: 'integer', minimum: 0, maximum: MOST_WAIT_SECONDS },
    },
    required: ['task'],
    additionalProperties: false,
  },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['tool.meta'],
  category: 'Tasks',
  idempotent: true,
  timeoutMs: (MOST_WAIT_SECONDS + 30) * 1000,
  // Above what is read at once, so that no cut here loses bytes that the cursor has passed.
  maxOutputBytes: 2 * MOST_BYTES,
  execute: read,
  describeCall: noClaims,
  presentResult: plainCard,
  presentCall: (input) => ({
    card: 'generic',
    kind: 'read',
    title: `output of ${shown(input, 'task', 'a task')}`,
  }),
};

async function read(input: TaskOutputInput, _ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const task = text(raw, 'task');
  const cursor = optionalInteger(raw, 'cursor', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 });
  const seconds = optionalInteger(raw, 'wait_seconds', { min: 0, max: MOST_WAIT_SECONDS, fallback: 0 });
  const request = { cursor, maxBytes: MOST_BYTES, waitMs: seconds * 1000 };
  const reading = await tasksOf(opts).output(task, request, opts.signal);
  if (reading === null) throw unknownTask(task);
  const { output } = reading;
  return {
    content: [
      { type: 'text', text: statusText(reading) },
      ...(output.text === '' ? [] : [{ type: 'text' as const, text: output.text }]),
    ],
    meta: { task, state: reading.task.state, cursor: output.next, lost: output.lost },
  };
}

function statusText({ task, output }: TaskReading): string {
  const { state, exit } = task;
  const lost = output.lost === 0 ? '' : ` ${output.lost} bytes before this are no longer kept.`;
  const more = output.next < output.end ? ` ${output.end - output.next} more bytes follow.` : '';
  const why = exit?.reason == null ? '' : ` (${exit.reason})`;
  // A tool that reports no output while it works says all it has to say in its result.
  const result =
    isFinalState(state) && output.end === 0 && exit !== null && exit.result !== ''
      ? `\nresult: ${exit.result}`
      : '';
  return `[${state}${why}, next cursor ${output.next}]${lost}${more}${result}`;
}
