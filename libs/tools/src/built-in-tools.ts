import type { Tool } from '@wrongstack/contracts';
import { editTool } from './fs/edit.tool.js';
import { readTool } from './fs/read.tool.js';
import { writeTool } from './fs/write.tool.js';
import type { Environment } from './process/child-environment.js';
import { createGlobTool } from './search/glob.tool.js';
import { createGrepTool } from './search/grep.tool.js';
import type { LocateRipgrep } from './search/ripgrep.js';
import { treeTool } from './search/tree.tool.js';
import { createBashTool } from './shell/bash.tool.js';
import { createExecTool } from './shell/exec.tool.js';
import { createGitTool } from './shell/git.tool.js';

export interface BuiltInToolOptions {
  /** What child processes inherit, less secrets. The application reads it once and passes it on. */
  readonly environment: Environment;
  /** Where the search binary is; the packaged one when missing. */
  readonly ripgrepPath?: LocateRipgrep;
}

/** Every tool that ships, one a line, in the order in which a model sees them. */
export function builtInTools(options: BuiltInToolOptions): readonly Tool[] {
  const search = options.ripgrepPath === undefined ? {} : { locate: options.ripgrepPath };
  return [
    readTool,
    writeTool,
    editTool,
    createGlobTool(search),
    createGrepTool(search),
    treeTool,
    createBashTool(options),
    createExecTool(options),
    createGitTool(options),
  ];
}
