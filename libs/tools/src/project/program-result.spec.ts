import type { ReportingProgram } from './run-program.js';
import { presentProgram, programResult } from './program-result.js';

const RUN = { runner: 'jest', argv: ['jest'], timeoutMs: 1000 };

/** A program that printed this, of which the rows that begin with `!` came from the standard error. */
function end(rows: readonly string[]): ReportingProgram {
  const stderr = rows.flatMap((row, index) => (row.startsWith('!') ? [index] : []));
  return {
    outcome: { exitCode: 1, signal: null, timedOut: false, aborted: false, leftovers: 0 },
    output: {
      text: `${rows.join('\n')}\n`,
      bytes: 1,
      omitted: 0,
      spill: undefined,
      stderr,
      binary: undefined,
    },
    stdout: '',
  };
}

function marked(rows: readonly string[], known = false): string[] {
  const summary = { headline: 'failed', lines: ['a.ts:1 bad'], known, counts: {} };
  const result = programResult(RUN, end(rows), () => summary);
  const view = presentProgram('test', { ...result, isError: false });
  if (view.card !== 'terminal') throw new Error('no terminal card');
  return (view.output ?? '')
    .split('\n')
    .map((row, index) => (view.stderr?.includes(index) ? `err| ${row}` : row));
}

describe('the card of a project tool', () => {
  it('marks what its program wrote to the standard error, below the findings', () => {
    expect(marked(['ok', '!warn', 'more', '!oops'])).toEqual([
      'jest: failed',
      'a.ts:1 bad',
      '',
      'ok',
      'err| !warn',
      'more',
      'err| !oops',
      '[exit code: 1]',
    ]);
  });

  it('marks the same rows when the start is left out', () => {
    const rows = Array.from(
      { length: 800 },
      (_row, index) => `${index % 100 === 99 ? '!' : ' '}row ${index}`,
    );
    const shown = marked(rows);
    expect(shown).toContain('[… start of output left out …]');
    expect(shown.filter((row) => row.startsWith('err| '))).toEqual(shown.filter((row) => row.includes('!')));
    expect(shown.filter((row) => row.startsWith('err| ')).length).toBeGreaterThan(2);
  });

  it('marks nothing where the findings stand for the output', () => {
    expect(marked(['!a.ts:1 bad'], true)).toEqual(['jest: failed', 'a.ts:1 bad', '[exit code: 1]']);
  });
});
