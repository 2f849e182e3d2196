import { diffPolicies, type PolicyChange } from '@wrongstack/policy';
import { bootRequest } from '../app/boot-request.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { createOutput, type Output } from '../output.js';
import { line, span, type Tone } from '../terminal/lines.js';
import { loadDocuments } from './load-documents.js';

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const TONES: Readonly<Record<string, Tone>> = { tightens: 'added', loosens: 'removed', either: 'text' };
const WORDS: Readonly<Record<string, string>> = { either: 'can loosen or tighten' };

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

/** Field by field. */
export function printChanges(changes: readonly PolicyChange[], output: Output): void {
  if (changes.length === 0) output.say('no difference');
  for (const { field, kind, direction, before: old, after: now } of changes) {
    const values = [old, now]
      .filter((value) => value !== undefined && value !== null)
      .map((value) => JSON.stringify(value));
    output.print([
      line(
        span(`${SIGNS[kind]} ${field}`, TONES[direction]),
        ` ${values.join(' -> ')} `,
        span(WORDS[direction] ?? direction, 'meta'),
      ),
    ]);
  }
}
