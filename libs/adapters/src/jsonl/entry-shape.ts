type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => typeof value === 'string';

/** What readers of an entry take for granted. A line that is JSON and not of this shape is as damaged as one that is none. */
const NEEDED: Readonly<Record<string, (entry: Fields) => boolean>> = {
  user_input: ({ content }) => isContent(content),
  inject: ({ content }) => isContent(content),
  assistant_message: ({ content }) => isContent(content),
  tool_use: ({ call, name }) => isText(call) && isText(name),
  tool_started: ({ call }) => isText(call),
  tool_result: ({ call, content }) => isText(call) && isContent(content),
  compaction: ({ summary, keptFrom }) => isText(summary) && Number.isSafeInteger(keptFrom),
};

/** True for every type that is not ours as well: those are open-ended. */
export function hasItsShape(entry: Fields & { readonly type: string }): boolean {
  const needed = Object.hasOwn(NEEDED, entry.type) ? NEEDED[entry.type] : undefined;
  return needed === undefined || needed(entry);
}

function isContent(value: unknown): boolean {
  return Array.isArray(value) && value.every(isBlock);
}

function isBlock(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // Read as what it may be: each member is looked at before it counts.
  const { type, text, id, name } = value as Fields;
  if (type === 'text') return isText(text);
  if (type === 'tool_use') return isText(id) && isText(name);
  return isText(type);
}
