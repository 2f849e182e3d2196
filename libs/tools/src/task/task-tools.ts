import type { Tool } from '@wrongstack/contracts';
import { taskKillTool } from './task-kill.tool.js';
import { taskListTool } from './task-list.tool.js';
import { taskOutputTool } from './task-output.tool.js';

/** What to do with a call that went on in the background. */
export const taskTools: readonly Tool[] = [taskListTool, taskOutputTool, taskKillTool];
