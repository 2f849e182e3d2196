import type { Tool } from '@wrongstack/contracts';
import type { Environment } from '../process/child-environment.js';
import type { LocateRipgrep } from '../search/ripgrep.js';
import { createDiffTool } from './diff.tool.js';
import { createPatchTool } from './patch.tool.js';
import { createReplaceTool } from './replace.tool.js';

/** Changes of several places or files at once, and what differs. */
export function patchTools(options: {
  readonly environment: Environment;
  readonly ripgrepPath?: LocateRipgrep;
}): readonly Tool[] {
  const search = options.ripgrepPath === undefined ? {} : { locate: options.ripgrepPath };
  return [createPatchTool(), createReplaceTool(search), createDiffTool(options)];
}
