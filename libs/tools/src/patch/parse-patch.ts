import type { FileOperation } from './file-operation.js';
import { isEnvelope, parseEnvelope } from './parse-envelope.js';
import { malformed } from './patch-lines.js';
import { hasSearchBlocks, parseSearchBlocks } from './parse-search-blocks.js';
import { parseUnified } from './parse-unified.js';

/**
 * Any of the three forms, told apart by what only they have. Pure: claims, cards and execution all read a patch through
 * this one function, so none of them can see another file than the others.
 */
export function parsePatch(patch: string): readonly FileOperation[] {
  const operations = parseAny(patch);
  if (operations.length === 0) {
    throw malformed('it changes nothing: send a unified diff or a *** Begin Patch envelope');
  }
  return operations;
}

function parseAny(patch: string): readonly FileOperation[] {
  if (isEnvelope(patch)) return parseEnvelope(patch);
  return hasSearchBlocks(patch) ? parseSearchBlocks(patch) : parseUnified(patch);
}
