import { diffPolicies } from '@wrongstack/policy';
import { bootRequest } from '../app/boot-request.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { createOutput } from '../output.js';
import { loadDocuments } from './load-documents.js';
import { printChanges } from './policy-changes.js';

/** What one document changes over another, field by field, and whether that tightens or loosens. */
export async function policyDiff(
  files: readonly string[],
  options: CommonOptions & { readonly draft?: boolean },
): Promise<number> {
  // One file is compared with what the server has.
  if (files.length === 1) return (await import('./control/policy-push.js')).policyServerDiff(files, options);
  const { environment } = bootRequest(options, false);
  const output = createOutput(options, environment);
  const [before = null, after = null] = await loadDocuments(files);
  const changes = diffPolicies(before, after);
  if (output.json) output.writeJson(changes);
  else printChanges(changes, output);
  return EXIT.done;
}
