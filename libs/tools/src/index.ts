export { builtInTools, type BuiltInToolOptions } from './built-in-tools.js';
export { readTool, type ReadInput } from './fs/read.tool.js';
export { writeTool, type WriteInput } from './fs/write.tool.js';
export { editTool, type EditInput } from './fs/edit.tool.js';
export { createGlobTool, type GlobInput } from './search/glob.tool.js';
export { createGrepTool, type GrepInput } from './search/grep.tool.js';
export { treeTool, type TreeInput } from './search/tree.tool.js';
export { createBashTool, type BashInput } from './shell/bash.tool.js';
export { createExecTool, type ExecInput } from './shell/exec.tool.js';
export { createGitTool } from './shell/git.tool.js';
export type { GitInput } from './shell/git-arguments.js';
export { isInside, realTarget, resolveInput, safeResolve, safeResolveReal } from './paths/resolve-path.js';
export { locate, type Location } from './paths/locate.js';
export { openFile, type OpenedFile } from './paths/open-file.js';
export { replaceFile, type Replacement } from './paths/replace-file.js';
export { describeChange, type FileChangeMeta } from './fs/file-change.js';
export { childEnvironment, type Environment } from './process/child-environment.js';
export {
  spawnStream,
  type OutputChunk,
  type SpawnOptions,
  type SpawnOutcome,
} from './process/spawn-stream.js';
export { spawnError } from './process/started-program.js';
export { ripgrepPath, type LocateRipgrep } from './search/ripgrep.js';
export {
  defineTool,
  type SchemaDefinition,
  type SpecDefinition,
  type ToolExecution,
} from './authoring/define-tool.js';
export type { InferArgs, ParameterSpec, SchemaSpec } from './authoring/schema-spec.js';
export {
  guardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  type NetworkGuard,
} from './net/guarded-fetch.js';
export { maskUrl } from './net/mask-url.js';
export { createFetchTool, type FetchInput } from './net/fetch.tool.js';
export { createSearchTool, type SearchInput, type SearchToolOptions } from './net/search.tool.js';
export type { SearchEndpoint, SearchFormat } from './net/search-engines.js';
export { createNetTools, netTools, type NetToolOptions } from './net/net-tools.js';
export { MemoryStore, type MemoryPlace, type ShelvedMemory } from './memory/memory-store.js';
export type { Memory, MemoryScope, MemorySource } from './memory/memory-record.js';
export { memoryContributor } from './memory/memory-contributor.js';
export { createMemoryTools, memoryTools } from './memory/memory-tools.js';
export { createModeTool, REQUESTED_MODE_KEY, type ModeToolOptions } from './session/mode.tool.js';
export { createTodoTool } from './session/todo.tool.js';
export {
  restoreTodo,
  todoList,
  TODO_ENTRY,
  TODO_KEY,
  type TodoItem,
  type TodoState,
} from './session/todo-list.js';
export { planTool, type PlanInput } from './session/plan.tool.js';
export { createSessionTools, sessionTools } from './session/session-tools.js';
export { taskTools } from './task/task-tools.js';
export { metaTools } from './meta/meta-tools.js';
export { delegateTool, type DelegateInput } from './delegate/delegate.tool.js';
export { createPatchTool, type PatchInput } from './patch/patch.tool.js';
export { createReplaceTool } from './patch/replace.tool.js';
export type { ReplaceInput } from './patch/replace-request.js';
export { createDiffTool, type DiffInput } from './patch/diff.tool.js';
export { patchTools } from './patch/patch-tools.js';
export type { ProjectInput } from './project/project-request.js';
export { scaffoldTool, type ScaffoldInput } from './project/scaffold.tool.js';
export { projectTools } from './project/project-tools.js';
export { createCodebaseIndexTool, type CodebaseIndexInput } from './codebase/codebase-index.tool.js';
export { codebaseTools } from './codebase/codebase-tools.js';
