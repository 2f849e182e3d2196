/** What the program in an editor's terminal tells us; see `bin/terminal-child.cjs`. */
export type ChildMessage =
  | { readonly type: 'hello'; readonly token: string; readonly pid: number }
  | { readonly type: 'started'; readonly pid: number }
  | { readonly type: 'failed'; readonly code: string }
  | { readonly type: 'stdout' | 'stderr'; readonly bytes: string }
  | { readonly type: 'stdout-end' | 'stderr-end' }
  | { readonly type: 'exit'; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

/** What we tell it. `program` is the JSON text whose digest stands on its command line. */
export type AgentMessage =
  | { readonly type: 'start'; readonly program: string }
  | { readonly type: 'show'; readonly text: string }
  | { readonly type: 'end'; readonly status: number };

/** Null for a line that is none: whoever sent it is not who we started. */
export function childMessage(line: string): ChildMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('type' in value)) return null;
    // Written by our own program, which has proved itself by its token; only that it is one of the shapes is looked at.
    return typeof value.type === 'string' && TYPES.has(value.type) ? (value as ChildMessage) : null;
  } catch {
    return null;
  }
}

const TYPES: ReadonlySet<string> = new Set<ChildMessage['type']>([
  'hello',
  'started',
  'failed',
  'stdout',
  'stderr',
  'stdout-end',
  'stderr-end',
  'exit',
]);
