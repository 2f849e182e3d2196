import type { SubagentTask } from '@wrongstack/contracts';
import { badInput, filledText, optionalInteger, optionalText, rawInput, textList } from '../read-input.js';

/** Ranges of a subagent's budget, and what it gets unasked. */
export const BUDGET = {
  iterations: { min: 1, max: 100, fallback: 30 },
  tool_calls: { min: 1, max: 500, fallback: 100 },
  tokens: { min: 1_000, max: 5_000_000, fallback: 500_000 },
  seconds: { min: 5, max: 3_000, fallback: 900 },
} as const;

const LONGEST_TASK = 32_000;
const MOST_CAPABILITIES = 32;

export function taskFrom(input: unknown): SubagentTask {
  const raw = rawInput(input);
  const task = filledText(raw, 'task');
  if (task.length > LONGEST_TASK)
    throw badInput('task', `must not be longer than ${LONGEST_TASK} characters`);
  const name = optionalText(raw, 'name');
  const budget = rawInput(raw['budget'] ?? {});
  const capabilities = raw['capabilities'] === undefined ? undefined : textList(raw, 'capabilities');
  if (capabilities !== undefined && capabilities.length > MOST_CAPABILITIES) {
    throw badInput('capabilities', `must be at most ${MOST_CAPABILITIES}`);
  }
  return {
    task,
    ...(name === undefined ? {} : { name }),
    ...(capabilities === undefined ? {} : { capabilities }),
    budget: {
      iterations: optionalInteger(budget, 'iterations', BUDGET.iterations),
      toolCalls: optionalInteger(budget, 'tool_calls', BUDGET.tool_calls),
      tokens: optionalInteger(budget, 'tokens', BUDGET.tokens),
      seconds: optionalInteger(budget, 'seconds', BUDGET.seconds),
    },
  };
}
