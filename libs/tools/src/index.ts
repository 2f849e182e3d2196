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
export { ripgrepPath, type LocateRipgrep } from './search/ripgrep.js';
export {
  defineTool,
  type SchemaDefinition,
  type SpecDefinition,
  type ToolExecution,
} from './authoring/define-tool.js';
export type { InferArgs, ParameterSpec, SchemaSpec } from './authoring/schema-spec.js';
