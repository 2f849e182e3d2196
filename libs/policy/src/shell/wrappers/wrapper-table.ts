import { DEBUGGER_WRAPPERS } from './debuggers.js';
import { INTERPRETER_WRAPPERS } from './interpreters.js';
import { MULTIPLEXER_WRAPPERS } from './multiplexers.js';
import { OPTION_PROGRAM_WRAPPERS } from './option-programs.js';
import { OWN_COVER_WRAPPERS } from './own-cover.js';
import { PACKAGE_RUNNER_WRAPPERS } from './package-runners.js';
import { PACKAGE_SETTING_WRAPPERS } from './package-settings.js';
import { REMOTE_WRAPPERS } from './remote.js';
import { SANDBOX_WRAPPERS } from './sandboxes.js';
import { SHELL_WRAPPERS } from './shells.js';
import { TRANSPARENT_WRAPPERS } from './transparent.js';
import { WATCHER_WRAPPERS } from './watchers.js';
import type { ProgramCall, Unwrap, Unwrapped } from './unwrap.js';

let table: Map<string, Unwrap[]> | null = null;

/** Everything that a call runs besides itself. A program may be looked through in more than one way. */
export function unwrapCall(call: ProgramCall): Unwrapped[] {
  table ??= buildTable();
  return (table.get(call.name.toLowerCase()) ?? [])
    .map((unwrap) => unwrap(call))
    .filter((found) => found !== null);
}

/** Built at the first command, not when the module loads. */
function buildTable(): Map<string, Unwrap[]> {
  const built = new Map<string, Unwrap[]>();
  const families = [
    TRANSPARENT_WRAPPERS,
    SHELL_WRAPPERS,
    OWN_COVER_WRAPPERS,
    PACKAGE_RUNNER_WRAPPERS,
    REMOTE_WRAPPERS,
    INTERPRETER_WRAPPERS,
    OPTION_PROGRAM_WRAPPERS,
    DEBUGGER_WRAPPERS,
    MULTIPLEXER_WRAPPERS,
    PACKAGE_SETTING_WRAPPERS,
    SANDBOX_WRAPPERS,
    WATCHER_WRAPPERS,
  ].flat();
  for (const family of families) {
    for (const program of family.programs) {
      const key = program.toLowerCase();
      built.set(key, [...(built.get(key) ?? []), family.unwrap]);
    }
  }
  return built;
}
