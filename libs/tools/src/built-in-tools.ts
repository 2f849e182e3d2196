import type { Tool } from '@wrongstack/contracts';
import { codebaseTools } from './codebase/codebase-tools.js';
import { delegateTool } from './delegate/delegate.tool.js';
import { editTool } from './fs/edit.tool.js';
import { readTool } from './fs/read.tool.js';
import { writeTool } from './fs/write.tool.js';
import { MemoryStore } from './memory/memory-store.js';
import { createMemoryTools } from './memory/memory-tools.js';
import { metaTools } from './meta/meta-tools.js';
import { createNetTools, type NetToolOptions } from './net/net-tools.js';
import { patchTools } from './patch/patch-tools.js';
import type { Environment } from './process/child-environment.js';
import { projectTools } from './project/project-tools.js';
import { createGlobTool } from './search/glob.tool.js';
import { createGrepTool } from './search/grep.tool.js';
import type { LocateRipgrep } from './search/ripgrep.js';
import { treeTool } from './search/tree.tool.js';
import type { ModeToolOptions } from './session/mode.tool.js';
import { createSessionTools } from './session/session-tools.js';
import { createBashTool } from './shell/bash.tool.js';
import { createExecTool } from './shell/exec.tool.js';
import { createGitTool } from './shell/git.tool.js';
import { taskTools } from './task/task-tools.js';

export interface BuiltInToolOptions {
  /** What child processes inherit, less secrets. The application reads it once and passes it on. */
  readonly environment: Environment;
  /** Where the search binary is; the packaged one when missing. */
  readonly ripgrepPath?: LocateRipgrep;
  /** Permitted hosts of the intranet and the search service; missing = public hosts and no search. */
  readonly net?: NetToolOptions;
  /** Where memories are; the host shares it with its prompt contributor. Missing = a store of the tools' own. */
  readonly memory?: MemoryStore;
  /** How the mode tool tightens the session; missing = it says that there is no plan mode. */
  readonly session?: ModeToolOptions;
}

/** Every tool that ships, one a line, in the order in which a model sees them. */
export function builtInTools(options: BuiltInToolOptions): readonly Tool[] {
  const search = options.ripgrepPath === undefined ? {} : { locate: options.ripgrepPath };
  return [
    readTool,
    writeTool,
    editTool,
    createGlobTool(),
    createGrepTool(search),
    treeTool,
    createBashTool(options),
    createExecTool(options),
    createGitTool(options),
    ...createNetTools(options.net),
    ...createMemoryTools(options.memory ?? new MemoryStore()),
    ...createSessionTools(options.session),
    ...patchTools(options),
    ...projectTools(options),
    ...codebaseTools(options),
    ...taskTools,
    ...metaTools,
    delegateTool,
  ];
}
