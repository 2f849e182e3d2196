import type { BuiltInSessionEntry } from '@wrongstack/contracts';

// Checked by the compiler: each built-in type is listed. `undo` is the kernel's own.
const BUILT_IN: Readonly<Record<BuiltInSessionEntry['type'] | 'undo', true>> = {
  session_start: true,
  run_start: true,
  user_input: true,
  inject: true,
  assistant_message: true,
  tool_use: true,
  tool_started: true,
  tool_result: true,
  subagent: true,
  decision: true,
  file_snapshot: true,
  compaction: true,
  aside: true,
  mode: true,
  repair: true,
  run_end: true,
  undo: true,
};

/** Whether a session entry type belongs to the kernel, so that nobody else may write it. */
export function isBuiltInEntry(type: string): boolean {
  return Object.hasOwn(BUILT_IN, type);
}
