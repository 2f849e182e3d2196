/** The card of a call as whoever asked saw it. */
export type CallCard =
  | { readonly is: 'command'; readonly text: string; readonly cwd: string | null }
  | { readonly is: 'changes'; readonly diffs: readonly FileChange[] }
  /** Anything else: whatever was sent, to read. */
  | { readonly is: 'other'; readonly title: string | null; readonly input: unknown };

export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly firstBefore: number;
  readonly firstAfter: number;
}

/** Made by a client: a card of an unknown kind is shown raw rather than left out. */
export function readCard(value: unknown): CallCard {
  if (typeof value !== 'object' || value === null) return { is: 'other', title: null, input: value };
  const card: unknown = Reflect.get(value, 'card');
  const title: unknown = Reflect.get(value, 'title');
  if (card === 'terminal' && typeof title === 'string') {
    const cwd: unknown = Reflect.get(value, 'cwd');
    return { is: 'command', text: title, cwd: typeof cwd === 'string' ? cwd : null };
  }
  if (card === 'diff') {
    const diffs: unknown = Reflect.get(value, 'diffs');
    const changes = Array.isArray(diffs) ? diffs.map(changeOf) : [];
    const whole = changes.flatMap((change) => change ?? []);
    // One that cannot be read would be a change that nobody saw.
    if (whole.length > 0 && whole.length === changes.length) return { is: 'changes', diffs: whole };
  }
  const input: unknown = Reflect.get(value, 'rawInput');
  return { is: 'other', title: typeof title === 'string' ? title : null, input: input ?? value };
}

function changeOf(value: unknown): FileChange | null {
  if (typeof value !== 'object' || value === null) return null;
  const path: unknown = Reflect.get(value, 'path');
  const before: unknown = Reflect.get(value, 'oldText');
  const after: unknown = Reflect.get(value, 'newText');
  if (typeof path !== 'string' || typeof after !== 'string') return null;
  if (before !== null && typeof before !== 'string') return null;
  const line = (name: string): number => {
    const start: unknown = Reflect.get(value, name);
    return typeof start === 'number' && start > 0 ? start : 1;
  };
  return { path, before, after, firstBefore: line('oldStart'), firstAfter: line('newStart') };
}
