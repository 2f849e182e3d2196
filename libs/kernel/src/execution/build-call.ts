import type { RegisteredTool, ToolCall, ToolUseBlock } from '@wrongstack/contracts';
import type { CallScope } from './call-scope.js';
import type { PreparedInput } from './run-pre-hooks.js';

/** What is decided about: who wants to run which tool on what input, where, frozen. */
export function buildCall(
  request: ToolUseBlock,
  tool: RegisteredTool,
  prepared: PreparedInput,
  scope: CallScope,
  nesting: number,
  background: boolean,
): ToolCall {
  return Object.freeze({
    id: request.id,
    tool,
    input: prepared.input,
    actor: scope.actor,
    session: Object.freeze({ ...scope.session() }),
    cwd: scope.context.cwd,
    projectRoot: scope.context.projectRoot,
    scratchDirs: Object.freeze([scope.context.scratchDir]),
    background,
    hookDemands: prepared.demands,
    nesting,
  });
}
