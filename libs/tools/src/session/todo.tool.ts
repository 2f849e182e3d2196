import {
  isoNow,
  systemClock,
  type Clock,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { badInput, rawInput, type RawInput } from '../read-input.js';
import { wellFormed } from '../text/well-formed.js';
import {
  readTodo,
  TODO_ENTRY,
  TODO_KEY,
  TODO_STATES,
  todoCounts,
  todoList,
  todoText,
  type TodoItem,
} from './todo-list.js';
import { noClaims } from '../claims.js';

export interface TodoInput {
  /** The whole list as it shall be; missing = show it. */
  readonly items?: readonly TodoItem[];
}

const MOST_ITEMS = 50;
const LONGEST_ITEM = 300;

/** The model's own list. It touches no file, so it runs unasked, in plan mode too. */
export function createTodoTool(options: { readonly clock?: Clock } = {}): Tool<TodoInput, RichToolOutput> {
  const clock = options.clock ?? systemClock;
  return {
    name: 'todo',
    description:
      'Keep a list of steps for this session. items replaces the whole list; without it the list is shown.',
    inputSchema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              text: { type: 'string', minLength: 1 },
              state: { type: 'string', enum: [...TODO_STATES] },
            },
            required: ['text', 'state'],
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
    permission: 'auto',
    mutating: false,
    riskTier: 'safe',
    capabilities: ['session.todo'],
    category: 'Session',
    idempotent: true,
    timeoutMs: 5_000,
    maxOutputBytes: 40_000,
    execute: async (input, ctx, opts) => execute(input, ctx, opts, clock),
    describeCall: noClaims,
    presentCall: (input) => {
      const items = itemsOf(input);
      return items === null
        ? { card: 'generic', kind: 'think', title: 'todo' }
        : {
            card: 'generic',
            kind: 'think',
            title: `todo · ${todoCounts(items)}`,
            content: [{ type: 'text', text: todoText(items) }],
          };
    },
    presentResult: (input, result) => {
      const items = itemsOf(result.meta) ?? itemsOf(input);
      return items === null
        ? { card: 'generic', title: 'todo', content: result.content }
        : {
            card: 'generic',
            title: `todo · ${todoCounts(items)}`,
            content: [{ type: 'text', text: todoText(items) }],
          };
    },
  };
}

async function execute(
  input: TodoInput,
  ctx: Context,
  opts: ToolOptions,
  clock: Clock,
): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const surplus = Object.keys(raw).find((name) => name !== 'items');
  if (surplus !== undefined) throw badInput(surplus, 'is unknown: todo takes items only');
  opts.signal.throwIfAborted();
  if (raw['items'] === undefined) {
    const items = todoList(ctx.meta);
    return answer(items.length === 0 ? '[the list is empty]' : todoText(items), items);
  }
  const items = checkedItems(raw);
  // Both before the first wait: of two calls at once, the one whose list stays is the one that is logged last.
  ctx.meta[TODO_KEY] = items;
  await ctx.session.append({ type: TODO_ENTRY, ts: isoNow(clock), items });
  return answer(items.length === 0 ? 'list emptied' : `list kept: ${todoCounts(items)}`, items);
}

function answer(text: string, items: readonly TodoItem[]): RichToolOutput {
  return { content: [{ type: 'text', text }], meta: { items } };
}

function checkedItems(raw: RawInput): readonly TodoItem[] {
  const items = readTodo(raw['items']);
  if (items === null) {
    throw badInput('items', `must be a list of { text, state }, state one of ${TODO_STATES.join(', ')}`);
  }
  if (items.length > MOST_ITEMS)
    throw badInput('items', `has ${items.length} entries, more than ${MOST_ITEMS}`);
  return Object.freeze(
    items.map(({ text, state }, index) => {
      const line = wellFormed(text)
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim();
      if (line === '') throw badInput(`items/${index}/text`, 'must not be blank');
      if (line.length > LONGEST_ITEM) {
        throw badInput(`items/${index}/text`, `has ${line.length} characters, more than ${LONGEST_ITEM}`);
      }
      return Object.freeze({ text: line, state });
    }),
  );
}

function itemsOf(value: unknown): readonly TodoItem[] | null {
  return typeof value === 'object' && value !== null && 'items' in value ? readTodo(value.items) : null;
}
