import type { Tool } from '@wrongstack/contracts';
import { batchToolUseTool } from './batch-tool-use.tool.js';
import { toolHelpTool } from './tool-help.tool.js';
import { toolSearchTool } from './tool-search.tool.js';
import { toolUseTool } from './tool-use.tool.js';

/** Tools about tools: two that look, two that run others. */
export const metaTools: readonly Tool[] = [toolHelpTool, toolSearchTool, toolUseTool, batchToolUseTool];
