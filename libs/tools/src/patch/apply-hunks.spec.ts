import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { applyHunks } from './apply-hunks.js';
import { parsePatch } from './parse-patch.js';

/** Few different lines, so that places repeat; some look like parts of a patch. */
const line = fc.constantFrom(
  'a',
  'b',
  '',
  '  a',
  '- x',
  '-- x',
  '++ y',
  '@@ -1 +1 @@',
  '+++ b/x',
  '--- a/x',
  '\\ No',
  ' ',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));

function hunksOf(patch: string): Parameters<typeof applyHunks>[1] {
  const [operation] = parsePatch(patch);
  if (operation?.kind !== 'update' || operation.change.by !== 'hunks') throw new Error('no update');
  return operation.change.hunks;
}

describe('a diff of two texts', () => {
  it.each([3, 1])('with %d lines of context makes the one from the other', (context) => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before !== '');
        const patch = createTwoFilesPatch('a/f', 'b/f', before, after, undefined, undefined, { context });
        expect(applyHunks(before, hunksOf(patch), 'f')).toBe(after);
      }),
      { numRuns: 250 },
    );
  });

  it('applied to another text changes only what it names, or is refused', () => {
    fc.assert(
      fc.property(text, text, text, (before, after, other) => {
        fc.pre(before !== after && before !== '' && other !== '');
        const hunks = hunksOf(
          createTwoFilesPatch('a/f', 'b/f', before, after, undefined, undefined, { context: 1 }),
        );
        const removed = hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind === 'remove').length;
        const added = hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind === 'add').length;
        let result: string;
        try {
          result = applyHunks(other, hunks, 'f');
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^patch\.(?:no_match|ambiguous)$/) });
          return;
        }
        const count = (source: string): number =>
          source.replace(/\n$/, '').split('\n').length - (source === '' ? 1 : 0);
        expect(count(result) - count(other)).toBe(added - removed);
      }),
      { numRuns: 250 },
    );
  });
});

describe('odd input', () => {
  it.each([
    [
      'a patch of empty lines',
      `*** Begin Patch\n*** Update File: f\n@@\n-a${'\n'.repeat(300_000)} b\n*** End Patch`,
    ],
    ['a diff of empty lines', `--- a/f\n+++ b/f\n@@ -1,400000 +1,400000 @@\n-a${'\n'.repeat(300_000)} b\n`],
  ])('is read in linear time: %s', (_title, patch) => {
    expect(hunksOf(patch)).toHaveLength(1);
  });

  it('is refused where comparing would not end', () => {
    const hunk = hunksOf(`--- a/f\n+++ b/f\n@@ -1 +1 @@\n${' x\n'.repeat(20_000)}-y\n+z\n`);
    expect(() => applyHunks('x\n'.repeat(200_000), hunk, 'f')).toThrow(
      expect.objectContaining({ code: 'patch.ambiguous' }),
    );
  });
});
