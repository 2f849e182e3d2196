import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { TODO_KEY, todoList, type TodoItem } from '@wrongstack/tools';

const STATUS = { pending: 'pending', in_progress: 'in_progress', done: 'completed' } as const;

/** The model's own list as the editor's plan: whole, each time the todo tool answered with it. */
export function planUpdate(tool: string, meta: unknown): SessionUpdate[] {
  if (tool !== 'todo' || typeof meta !== 'object' || meta === null || !('items' in meta)) return [];
  return [plan(todoList({ [TODO_KEY]: meta.items }))];
}

export function plan(items: readonly TodoItem[]): SessionUpdate {
  return {
    sessionUpdate: 'plan',
    entries: items.map(({ text, state }) => ({ content: text, priority: 'medium', status: STATUS[state] })),
  };
}
