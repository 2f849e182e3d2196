import type { Tool } from '@wrongstack/contracts';
import { createModeTool, type ModeToolOptions } from './mode.tool.js';
import { planTool } from './plan.tool.js';
import { createTodoTool } from './todo.tool.js';

/** The tools about the session itself. Without `tighten` the mode tool says that there is no plan mode. */
export function createSessionTools(options: ModeToolOptions = {}): readonly Tool[] {
  return [createTodoTool(), createModeTool(options), planTool];
}

export const sessionTools: readonly Tool[] = createSessionTools();
