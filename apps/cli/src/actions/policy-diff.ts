import { diffPolicies } from '@wrongstack/policy';
import { bootRequest } from '../app/boot-request.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { createOutput } from '../output.js';
import { line, span, type Tone } from '../terminal/lines.js';
import { loadDocuments } from './load-documents.js';

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const TONES: Readonly<Record<string, Tone>> = { tightens: 'added', loosens: 'removed', either: 'text' };
const WORDS: Readonly<Record<string, string>> = { either: 'can loosen or tighten' };

/** What one document changes over another, field by field, and whether that tightens or loosens. */
export async function policyDiff(files: readonly string[], options: CommonOptions): Promise<number> {
  const { environment } = bootRequest(options, false);
  const output = createOutput(options, environment);
  const [before = null, after = null] = await loadDocuments(files);
  const changes = diffPolicies(before, after);
  if (output.json) output.writeJson(changes);
  else if (changes.length === 0) output.say('no difference');
  else {
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
  return EXIT.done;
}
