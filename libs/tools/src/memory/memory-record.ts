/** Which shelf a memory stands on: this project's, or the person's own, seen in every project. */
export type MemoryScope = 'project' | 'user';

export const MEMORY_SCOPES: readonly MemoryScope[] = ['project', 'user'];

/** Who wrote a memory, when and in which session. */
export interface MemorySource {
  readonly who: 'agent' | 'person';
  readonly session: string;
}

export interface Memory {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** ISO 8601. */
  readonly created: string;
  readonly updated: string;
  readonly by: MemorySource;
}

/** One line of a memory file: the newest line about an id is what holds. */
export type MemoryLine =
  | ({ readonly v: 1; readonly op: 'put' } & Memory)
  | {
      readonly v: 1;
      readonly op: 'forget';
      readonly id: string;
      readonly at: string;
      readonly by: MemorySource;
    };

export const MEMORY_ID = /^m-[0-9a-f]{10}$/;

/** Null for anything that is no line of ours; such lines are kept as they are and never guessed at. */
export function parseMemoryLine(text: string): MemoryLine | null {
  const value = parsedObject(text);
  if (value === null || value['v'] !== 1) return null;
  const { op, id, at, created, updated, text: content } = value;
  const by = readSource(value['by']);
  if (typeof id !== 'string' || !MEMORY_ID.test(id) || by === null) return null;
  if (op === 'forget') return typeof at === 'string' ? { v: 1, op, id, at, by } : null;
  if (op !== 'put' || typeof content !== 'string') return null;
  if (typeof created !== 'string' || typeof updated !== 'string') return null;
  const tags = Array.isArray(value['tags'])
    ? value['tags'].filter((tag): tag is string => typeof tag === 'string')
    : [];
  return { v: 1, op, id, text: content, tags, created, updated, by };
}

export function memoryOf(line: Extract<MemoryLine, { op: 'put' }>): Memory {
  const { id, text, tags, created, updated, by } = line;
  return { id, text, tags, created, updated, by };
}

function readSource(value: unknown): MemorySource | null {
  if (typeof value !== 'object' || value === null) return null;
  const { who, session } = value as Readonly<Record<string, unknown>>;
  if ((who !== 'agent' && who !== 'person') || typeof session !== 'string') return null;
  return { who, session };
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    // An object that is no list has string keys; what they hold is looked at one by one.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
