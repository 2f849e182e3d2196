import type { Tool } from '@wrongstack/contracts';
import type { LocateRipgrep } from '../search/ripgrep.js';
import { createCodebaseIndexTool } from './codebase-index.tool.js';

/** What finds code by its meaning rather than by its letters. */
export function codebaseTools(options: { readonly ripgrepPath?: LocateRipgrep } = {}): readonly Tool[] {
  return [createCodebaseIndexTool(options.ripgrepPath === undefined ? {} : { locate: options.ripgrepPath })];
}
