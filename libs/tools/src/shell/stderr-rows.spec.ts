import type { ContentBlock } from '@wrongstack/contracts';
import { rowMarks, shownOutput } from './stderr-rows.js';

const block = (...rows: readonly string[]): ContentBlock => ({ type: 'text', text: rows.join('\n') });
const CUT = '[output truncated: 900 of 1000 bytes left out here; the whole output is in /x/output.txt]';

/** Rows as a card shows them, those of the standard error marked. */
function shown(content: readonly ContentBlock[], meta: object, noteRows = 0): string[] {
  const { output, stderr = [] } = shownOutput(content, meta, noteRows);
  return output.split('\n').map((row, index) => (stderr.includes(index) ? `err| ${row}` : row));
}

describe('rows of the standard error', () => {
  const whole = [
    'start',
    'warn',
    ...Array.from({ length: 20 }, (_row, index) => `row ${index}`),
    'oops',
    'end',
  ];
  const marks = rowMarks(whole.join('\n'), [1, 10, 22]);

  it('are those that they were', () => {
    expect(shown([block('a', 'b')], rowMarks('a\nb', [1]))).toEqual(['a', 'err| b']);
  });

  it('are marked on both sides of a cut, whose tail is shown without the notes behind it', () => {
    const content = [
      block('start', 'warn', 'row 0', 'ro'),
      block(CUT),
      block('19', 'oops', 'end', '[exit code: 3]'),
    ];
    expect(shown(content, marks, 1)).toEqual([
      'start',
      'err| warn',
      'row 0',
      'ro',
      CUT,
      '19',
      'err| oops',
      'end',
    ]);
  });

  it('are marked around a secret that took rows with it', () => {
    const masked = ['start', 'warn', 'BEGIN', '***', 'END', 'row 19', 'oops', 'end'];
    expect(shown([block(...masked)], marks)).toEqual([
      'start',
      'err| warn',
      'BEGIN',
      '***',
      'END',
      'row 19',
      'err| oops',
      'end',
    ]);
  });

  it('are marked where a secret left all rows', () => {
    expect(shown([block('a', 'TOKEN=***', 'c')], rowMarks('a\nTOKEN=x\nc', [1, 2]))).toEqual([
      'a',
      'err| TOKEN=***',
      'err| c',
    ]);
  });

  it('are those of what a stopped command had printed', () => {
    const stopped = 'Stopped: interrupted.';
    const meta = rowMarks('begin\noops', [1]);
    const apart = [
      block(stopped),
      block('begin', 'oops'),
      block('[interrupted; its processes were stopped]'),
    ];
    expect(shown(apart, meta, 1)).toEqual(['begin', 'err| oops']);
    // A cut joins all blocks before it.
    const joined = [
      block(stopped, 'start', 'warn', 'row 0'),
      block(CUT),
      block('oops', 'end', '[interrupted]'),
    ];
    expect(shown(joined, marks, 1)).toEqual(['start', 'err| warn', 'row 0', CUT, 'err| oops', 'end']);
  });

  it.each([
    ['rows are missing and nothing says where', [block('warn')], marks],
    ['an old log has no numbers', [block('a')], { rows: 1, stderr: ['0'] }],
    ['an old log says nothing', [block('a')], {}],
  ])('are not guessed where %s', (_what, content, meta) => {
    expect(shownOutput(content, meta, 0)).not.toHaveProperty('stderr');
  });
});
