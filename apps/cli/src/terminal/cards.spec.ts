import type { FileDiff, ToolCallView, ToolResultView } from '@wrongstack/contracts';
import { progressWidget, resultCard, runningLines, type FinishedCall, type RunningCall } from './cards.js';
import { diffLines } from './diff-lines.js';
import { lineText } from './lines.js';
import { createTheme } from './theme.js';
import { CAPS, lookFor, texts } from './testing/fixtures.js';

const shell = (title: string): ToolCallView => ({ card: 'terminal', title });
const output = (text: string, exitCode = 0): ToolResultView => ({ card: 'terminal', output: text, exitCode });
const rows = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

function finished(over: Partial<FinishedCall>): FinishedCall {
  return {
    tool: 'bash',
    call: shell('npm test'),
    result: output(''),
    status: 'ok',
    isError: false,
    exitCode: null,
    durationMs: 7_140,
    agent: null,
    ...over,
  };
}

function card(over: Partial<FinishedCall>, look = lookFor()): string[] {
  return texts(resultCard(finished(over), look).lines);
}

describe('a finished call', () => {
  it('shows head and tail of long output, and how it ended', () => {
    const result: ToolResultView = {
      card: 'terminal',
      output: `${rows(300)}\noops\n`,
      stderr: [300],
      exitCode: 3,
    };
    expect(card({ result })).toEqual([
      '✗ bash npm test · exit 3 · 7.1 s',
      '  line 1',
      '  line 2',
      '  line 3',
      '  ⋯ 290 lines · Ctrl-O',
      ...[294, 295, 296, 297, 298, 299, 300].map((number) => `  line ${number}`),
      '  err| oops',
    ]);
  });

  it('marks rows of the standard error', () => {
    const result: ToolResultView = { card: 'terminal', output: 'a\nb\n\x1b[1m!\n', stderr: [0, 2] };
    expect(card({ result }).slice(1)).toEqual(['  err| a', '  b', '  err| \\u001b[1m!']);
  });

  it('keeps everything for Ctrl-O', () => {
    expect(resultCard(finished({ result: output(rows(300)) }), lookFor()).full).toHaveLength(301);
    expect(resultCard(finished({ result: output(rows(12)) }), lookFor()).full).toBeNull();
  });

  it('folds nothing that would take as much room folded', () => {
    expect(card({ result: output(rows(12)) })).toHaveLength(13);
    expect(card({ result: output(rows(13)) })).toHaveLength(13);
  });

  it('says of a read how much it was', () => {
    const call: ToolCallView = { card: 'generic', title: 'read src/calc.ts', kind: 'read' };
    const result: ToolResultView = { card: 'generic', content: [{ type: 'text', text: rows(8) }] };
    expect(card({ tool: 'read', call, result, durationMs: 4 })).toEqual([
      '✓ read src/calc.ts · 8 lines · 4 ms',
    ]);
  });

  it('shows the first line of what failed', () => {
    const result: ToolResultView = {
      card: 'generic',
      content: [{ type: 'text', text: 'no such file: a.ts\nmore' }],
    };
    expect(
      card({ tool: 'read', call: { card: 'generic', title: 'a.ts' }, result, isError: true, durationMs: 2 }),
    ).toEqual(['✗ read a.ts · failed · 2 ms', '  no such file: a.ts']);
  });

  it.each(['timeout', 'aborted'] as const)('has a word for %s', (status) => {
    expect(card({ status, result: { card: 'terminal', output: '' } })[0]).toBe(
      `✗ bash npm test · ${status} · 7.1 s`,
    );
  });

  it('shows a diff with numbers, signs and hunks', () => {
    const oldText = 'function add(a, b) {\n  return a - b;\n}\n\nlast\n';
    const newText = 'function add(a, b) {\n  return a + b;\n}\n\nLAST\n';
    const diffs = [{ path: 'src/calc.ts', oldText, newText, oldStart: 1 }];
    expect(
      card({
        tool: 'edit',
        call: { card: 'diff', title: 'src/calc.ts', diffs },
        result: { card: 'diff', diffs },
      }),
    ).toEqual([
      '✓ edit src/calc.ts · +2 -2',
      '  2  -   return a - b;',
      '  2  +   return a + b;',
      '  ⋯',
      '  5  - last',
      '  5  + LAST',
    ]);
  });

  it('numbers the lines of a hunk as the file does, and none whose place is unknown', () => {
    const piece = { path: 'a', oldText: 'x\ny\n', newText: 'x\nz\n' };
    const shown = (diff: FileDiff): string[] => texts(diffLines(diff, 0, lookFor()));
    expect(shown({ ...piece, oldStart: 40, newStart: 50 })).toEqual(['  41  - y', '  51  + z']);
    expect(shown(piece)).toEqual(['  - y', '  + z']);
    expect(shown({ ...piece, oldText: null })).toEqual(['  1  + x', '  2  + z']);
  });

  it('colours additions and removals, and not the text around them', () => {
    const diffs = [{ path: 'a', oldText: 'a\n', newText: 'b\n', oldStart: 1 }];
    const { lines } = resultCard(
      finished({ tool: 'edit', call: { card: 'diff', title: 'a', diffs }, result: { card: 'diff', diffs } }),
      lookFor(),
    );
    const theme = createTheme(CAPS);
    expect(lines.slice(1).map((row) => theme.paint(row))).toEqual([
      '\x1b[2m  1  \x1b[0m\x1b[31m- a\x1b[0m',
      '\x1b[2m  1  \x1b[0m\x1b[32m+ b\x1b[0m',
    ]);
  });

  it('gives way in the title and keeps the facts where it is narrow', () => {
    const call = shell('npm run build --workspace @example/very-long-name -- --watch=false');
    expect(card({ call, result: output('日本語'.repeat(20), 3) }, lookFor({ columns: 41 }))).toEqual([
      '✗ bash npm run build -… · exit 3 · 7.1 s',
      `  ${'日本語'.repeat(6)}…`,
    ]);
    expect(card({ call, result: output('', 3) }, lookFor({ columns: 121 }))).toEqual([
      '✗ bash npm run build --workspace @example/very-long-name -- --watch=false · exit 3 · 7.1 s',
    ]);
  });

  it('names the subagent, and the tool in plain ASCII', () => {
    expect(card({ agent: 'tester', result: output('') }, lookFor({ unicode: false, plain: true }))).toEqual([
      'tool: + tester: bash npm test, exit 0, 7.1 s',
    ]);
  });

  it('shows escapes of the output', () => {
    expect(card({ result: output('\x1b[31mred\x1b[0m\u202e') })[1]).toBe('  \\u001b[31mred\\u001b[0m\\u202e');
  });
});

describe('a running call', () => {
  const running: RunningCall = {
    tool: 'bash',
    call: shell('npm run build'),
    elapsedMs: 12_400,
    estimateMs: 60_000,
    agent: null,
    log: null,
    metric: null,
    output: [],
    canBackground: true,
    frame: 0,
  };

  it('shows a spinner, the time of about how much, and the key', () => {
    expect(texts(runningLines(running, lookFor()))).toEqual([
      '⠋ bash npm run build · 12 s of ~60 s · Ctrl-B backgrounds',
    ]);
    expect(
      texts(runningLines({ ...running, estimateMs: null, frame: 11, canBackground: false }, lookFor())),
    ).toEqual(['⠙ bash npm run build · 12 s']);
  });

  it('shows what the tool reports below it', () => {
    const lines = runningLines(
      { ...running, output: ['a', 'b'], log: 'Scanning…', metric: { done: 5, total: 20, unit: 'files' } },
      lookFor(),
    );
    expect(texts(lines).slice(1)).toEqual([
      '  a',
      '  b',
      '  Scanning…',
      '  [#####---------------] 25% · 5/20 files',
    ]);
    expect(lines[3]).toEqual([{ text: '  Scanning…', tone: 'meta' }]);
  });

  it('shows numbers without a whole as they are', () => {
    expect(lineText(progressWidget({ lines: 812, bytes: 98_304, nested: {} }, lookFor()))).toBe(
      '  lines 812 · bytes 96 KB',
    );
  });

  it('drops the key before the command where it is narrow', () => {
    expect(texts(runningLines(running, lookFor({ columns: 41 })))).toEqual([
      '⠋ bash npm run build · 12 s of ~60 s',
    ]);
  });
});
