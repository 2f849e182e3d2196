import type { SessionEntry } from '@wrongstack/contracts';

export type TodoState = 'pending' | 'in_progress' | 'done';

export const TODO_STATES: readonly TodoState[] = ['pending', 'in_progress', 'done'];

export interface TodoItem {
  readonly text: string;
  readonly state: TodoState;
}

/** Where the list lives in a session's shared state, for slash commands and status lines too. */
export const TODO_KEY = 'todo';

/** The session entry that carries the whole list at each change. */
export const TODO_ENTRY = 'todo:changed';

export function todoList(meta: Readonly<Record<string, unknown>>): readonly TodoItem[] {
  return Object.hasOwn(meta, TODO_KEY) ? (readTodo(meta[TODO_KEY]) ?? []) : [];
}

/** For a session that is resumed: the list as it was last written down. */
export async function restoreTodo(
  meta: Record<string, unknown>,
  entries: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
): Promise<readonly TodoItem[]> {
  let last: readonly TodoItem[] = [];
  for await (const entry of entries) {
    if (entry.type === TODO_ENTRY && 'items' in entry) last = readTodo(entry.items) ?? last;
  }
  meta[TODO_KEY] = last;
  return last;
}

/** Null when it is no list of items: logs may be old and other code writes into the shared state. */
export function readTodo(value: unknown): readonly TodoItem[] | null {
  if (!Array.isArray(value)) return null;
  const items = value.map(readItem);
  return items.every((item) => item !== null) ? items : null;
}

function readItem(value: unknown): TodoItem | null {
  if (typeof value !== 'object' || value === null) return null;
  const { text, state } = value as Readonly<Record<string, unknown>>;
  const known = TODO_STATES.find((candidate) => candidate === state);
  return typeof text === 'string' && known !== undefined ? { text, state: known } : null;
}

const MARKS: Readonly<Record<TodoState, string>> = { pending: '[ ]', in_progress: '[~]', done: '[x]' };

export function todoText(items: readonly TodoItem[]): string {
  return items.map(({ text, state }) => `${MARKS[state]} ${text}`).join('\n');
}

/** `1/3 done, 1 in progress`. */
export function todoCounts(items: readonly TodoItem[]): string {
  const count = (state: TodoState): number => items.filter((item) => item.state === state).length;
  const running = count('in_progress');
  return `${count('done')}/${items.length} done${running === 0 ? '' : `, ${running} in progress`}`;
}
