import type { PolicyChange } from '@wrongstack/policy';
import type { Output } from '../output.js';
import { line, span, type Tone } from '../terminal/lines.js';

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const TONES: Readonly<Record<string, Tone>> = { tightens: 'added', loosens: 'removed', either: 'text' };
const WORDS: Readonly<Record<string, string>> = { either: 'can loosen or tighten' };

/** What one document changes over another, field by field. */
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
