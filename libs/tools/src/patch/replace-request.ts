import {
  badInput,
  filledText,
  optionalFlag,
  optionalText,
  rawInput,
  text,
  textList,
  type RawInput,
} from '../read-input.js';
import type { EditRequest } from '../fs/apply-edit.js';

export interface ReplaceInput {
  /** Files to change. A folder is only searched: the result says which files to name. */
  readonly path: string | readonly string[];
  readonly search?: string;
  readonly replacement?: string;
  readonly regex?: boolean;
  readonly case_sensitive?: boolean;
  readonly glob?: string;
  readonly dry_run?: boolean;
  readonly edits?: readonly {
    readonly old_string: string;
    readonly new_string: string;
    readonly replace_all?: boolean;
  }[];
}

/** What a call asks for: one text for another wherever it stands, or one edit after another in one file. */
export type ReplaceRequest = { readonly paths: readonly string[]; readonly dryRun: boolean } & (
  | {
      readonly by: 'search';
      readonly search: string;
      readonly replacement: string;
      readonly regex: boolean;
      readonly caseSensitive: boolean;
      readonly glob: string | undefined;
    }
  | { readonly by: 'edits'; readonly edits: readonly EditRequest[] }
);

export function readReplaceInput(input: unknown): ReplaceRequest {
  const raw = rawInput(input);
  const paths = readPaths(raw);
  const dryRun = optionalFlag(raw, 'dry_run', false);
  if (raw['edits'] !== undefined) {
    for (const field of ['search', 'replacement', 'regex', 'glob']) {
      if (raw[field] !== undefined) throw badInput(field, 'does not go with edits: send one or the other');
    }
    if (paths.length > 1) throw badInput('path', 'must be one file for edits');
    return { by: 'edits', paths, dryRun, edits: readEdits(raw) };
  }
  return {
    by: 'search',
    paths,
    dryRun,
    search: filledText(raw, 'search'),
    replacement: text(raw, 'replacement'),
    regex: optionalFlag(raw, 'regex', false),
    caseSensitive: optionalFlag(raw, 'case_sensitive', true),
    glob: optionalText(raw, 'glob'),
  };
}

const MOST_PATHS = 200;

function readPaths(raw: RawInput): readonly string[] {
  if (!Array.isArray(raw['path'])) return [filledText(raw, 'path')];
  const paths = [...new Set(textList(raw, 'path'))];
  if (paths.length === 0 || paths.length > MOST_PATHS || paths.includes('')) {
    throw badInput('path', `must name 1 to ${MOST_PATHS} files`);
  }
  return paths;
}

function readEdits(raw: RawInput): readonly EditRequest[] {
  const edits = raw['edits'];
  if (!Array.isArray(edits) || edits.length === 0)
    throw badInput('edits', 'must be a list of at least one edit');
  return edits.map((edit: unknown) => {
    const one = rawInput(edit);
    return {
      oldText: filledText(one, 'old_string'),
      newText: text(one, 'new_string'),
      replaceAll: optionalFlag(one, 'replace_all', false),
    };
  });
}
