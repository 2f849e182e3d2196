import type { Context, FileDiff, PathClaim, RichToolOutput, Tool, ToolOptions } from '@wrongstack/contracts';
import { locate } from '../paths/locate.js';
import { filledText, rawInput, shown } from '../read-input.js';
import type { CommitSteps } from './commit-files.js';
import { draftOperation } from './draft-patch.js';
import { newLines, oldLines, pathsOf, type FileOperation } from './file-operation.js';
import { FileOverlay, withPathLocks } from './file-overlay.js';
import { parsePatch } from './parse-patch.js';
import { totalCounts, writeOverlay } from './write-overlay.js';
import { changeCard } from '../cards.js';
import { pathClaims } from '../claims.js';

export interface PatchInput {
  readonly patch: string;
}

export function createPatchTool(steps: CommitSteps = {}): Tool<PatchInput, RichToolOutput> {
  return {
    name: 'patch',
    description:
      'Change several files at once, all or none: a unified diff (git headers too), or *** Begin Patch … *** End Patch.',
    inputSchema: {
      type: 'object',
      properties: { patch: { type: 'string', minLength: 1 } },
      required: ['patch'],
      additionalProperties: false,
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    capabilities: ['fs.write'],
    category: 'Filesystem',
    timeoutMs: 60_000,
    maxOutputBytes: 8_000,
    execute: (input, ctx, opts) => execute(input, ctx, opts, steps),
    describeCall: (input, ctx) => pathClaims(claims(input), ctx),
    presentCall: (input) => {
      const operations = operationsOf(input);
      if (operations.length === 0) return { card: 'generic', kind: 'edit', title: 'patch' };
      const paths = [...new Set(operations.flatMap(pathsOf))];
      return {
        card: 'diff',
        title: title(operations),
        diffs: operations.flatMap(diffsOf),
        locations: paths.map((path) => ({ path })),
      };
    },
    presentResult: (input, result) => changeCard(title(operationsOf(input)), result, totalCounts),
  };
}

async function execute(
  input: PatchInput,
  ctx: Context,
  opts: ToolOptions,
  steps: CommitSteps,
): Promise<RichToolOutput> {
  const operations = parsePatch(filledText(rawInput(input), 'patch'));
  opts.signal.throwIfAborted();
  const real: string[] = [];
  for (const path of operations.flatMap(pathsOf)) real.push((await locate(ctx, opts, path, 'write')).real);
  return withPathLocks(ctx, real, async () => {
    const overlay = new FileOverlay(ctx, opts);
    for (const operation of operations) await draftOperation(operation, overlay, ctx);
    return writeOverlay(overlay, ctx, opts, steps);
  });
}

/** Of a patch that cannot be read nothing is claimed, because nothing of it will be done: execution reads it alike. */
function operationsOf(input: unknown): readonly FileOperation[] {
  try {
    return parsePatch(shown(input, 'patch'));
  } catch {
    return [];
  }
}

/** Read too: what a patch finds and does not find tells what the file holds. */
function claims(input: unknown): readonly PathClaim[] {
  const paths = [...new Set(operationsOf(input).flatMap(pathsOf))];
  return paths.flatMap((path): PathClaim[] => [
    { path, access: 'read' },
    { path, access: 'write' },
  ]);
}

function title(operations: readonly FileOperation[]): string {
  const [first, ...rest] = [...new Set(operations.flatMap(pathsOf))];
  if (first === undefined) return 'patch';
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}

function diffsOf(operation: FileOperation): readonly FileDiff[] {
  switch (operation.kind) {
    case 'add':
      return [{ path: operation.path, oldText: null, newText: operation.content }];
    case 'delete':
      return [
        {
          path: operation.path,
          oldText: operation.content === null ? '' : oldLines(operation.content).join('\n'),
          newText: '',
        },
      ];
    case 'update':
      if (operation.change.by === 'blocks') {
        return operation.change.blocks.map(({ search, replacement }) => ({
          path: operation.to,
          oldText: search,
          newText: replacement,
        }));
      }
      return operation.change.hunks.map((hunk) => ({
        path: operation.to,
        oldText: oldLines(hunk).join('\n'),
        newText: newLines(hunk).join('\n'),
        ...(hunk.startLine === null ? {} : { oldStart: hunk.startLine }),
      }));
  }
}
