import { plainLines } from './findings.js';

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
}

export interface TestFailure {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

/** Lines that name a failed test: jest and vitest, node, pytest, go, cargo. */
const FAILED: readonly RegExp[] = [
  /^\s*● (.+ › .+|[^:]+)$/,
  /^\s*FAIL {2}(.+ > .+)$/,
  /^\s*not ok \d+ - (.+)$/,
  /^✖ (.+?) \(\d[\d.]*ms\)$/,
  /^FAILED (\S+::\S+.*)$/,
  /^\s*--- FAIL: (\S+)/,
  /^test (\S+) \.\.\. FAILED$/,
];

/** A place in the text below: a stack frame or a panic. */
const PLACE = /(?:\(|\s|^|❯ |file:\/\/)((?:\.{0,2}\/)?[\w@][^\s:()]*\.\w+|\/[^\s:()]+\.\w+):(\d+)(?::\d+)?/;
const LINES_BELOW = 60;

/** Counts and failures in what a test runner printed; null where no runner that is known printed a summary. */
export function parseTestReport(output: string): TestReport | null {
  const lines = plainLines(output);
  const counts =
    jestCounts(lines) ??
    vitestCounts(lines) ??
    nodeCounts(lines) ??
    cargoCounts(lines) ??
    javaCounts(lines) ??
    pytestCounts(lines) ??
    goCounts(lines);
  if (counts === null) return null;
  return { ...counts, failures: failuresIn(lines) };
}

type Counts = Omit<TestReport, 'failures'>;

function jestCounts(lines: readonly string[]): Counts | null {
  return worded(lines, /^Tests:\s+(.*total)$/);
}

function vitestCounts(lines: readonly string[]): Counts | null {
  return worded(lines, /^\s*Tests {2}(.*\(\d+\))$/);
}

function pytestCounts(lines: readonly string[]): Counts | null {
  return worded(lines, /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s/);
}

/** `1 failed, 2 passed`. */
function worded(lines: readonly string[], pattern: RegExp): Counts | null {
  const text = lastMatch(lines, pattern)?.[1];
  if (text === undefined) return null;
  const count = (word: RegExp): number =>
    [...text.matchAll(/(\d+) ([a-z]+)/g)]
      .filter((match) => word.test(match[2] ?? ''))
      .reduce((sum, match) => sum + Number(match[1]), 0);
  return {
    passed: count(/^passed$/),
    failed: count(/^(?:failed|errors?)$/),
    skipped: count(/^(?:skipped|todo|deselected|xfailed)$/),
  };
}

function nodeCounts(lines: readonly string[]): Counts | null {
  const count = (word: string): number | null => {
    const match = lastMatch(lines, new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`));
    return match === null ? null : Number(match[1]);
  };
  const [passed, failed] = [count('pass'), count('fail')];
  return passed === null || failed === null ? null : { passed, failed, skipped: count('skipped') ?? 0 };
}

/** One summary a crate. */
function cargoCounts(lines: readonly string[]): Counts | null {
  return summed(
    lines,
    /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/,
    ([, passed, failed, skipped]) => ({
      passed: Number(passed),
      failed: Number(failed),
      skipped: Number(skipped),
    }),
  );
}

/** The last line is the sum of those before it. */
function javaCounts(lines: readonly string[]): Counts | null {
  const match = lastMatch(lines, /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/);
  if (match === null) return null;
  const [, run = 0, failures = 0, errors = 0, skipped = 0] = match.map(Number);
  return { passed: run - failures - errors - skipped, failed: failures + errors, skipped };
}

/** Without `-v` go counts packages. */
function goCounts(lines: readonly string[]): Counts | null {
  const passed = lines.filter((line) => /^ok {2}\t?\S+/.test(line)).length;
  const failed = lines.filter((line) => /^FAIL\t\S+/.test(line)).length;
  return passed + failed === 0 ? null : { passed, failed, skipped: 0 };
}

function summed(
  lines: readonly string[],
  pattern: RegExp,
  read: (match: RegExpExecArray) => Counts,
): Counts | null {
  const all = lines.flatMap((line) => {
    const match = pattern.exec(line);
    return match === null ? [] : [read(match)];
  });
  if (all.length === 0) return null;
  return all.reduce((sum, one) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }));
}

function lastMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | null {
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const match = pattern.exec(lines[index] ?? '');
    if (match !== null) return match;
  }
  return null;
}

function failuresIn(lines: readonly string[]): readonly TestFailure[] {
  const failures = new Map<string, TestFailure>();
  lines.forEach((line, index) => {
    const name = nameOfFailure(line);
    if (name === undefined || failures.get(name)?.file !== undefined) return;
    failures.set(name, { name, ...placeBelow(lines, index) });
  });
  return [...failures.values()];
}

function nameOfFailure(line: string): string | undefined {
  for (const pattern of FAILED) {
    const name = pattern.exec(line)?.[1]?.trim();
    if (name !== undefined) return name;
  }
  return undefined;
}

function placeBelow(
  lines: readonly string[],
  index: number,
): { readonly file?: string; readonly line?: number } {
  for (const line of lines.slice(index + 1, index + LINES_BELOW)) {
    if (nameOfFailure(line) !== undefined) break;
    const match = PLACE.exec(line);
    const file = match?.[1];
    if (file === undefined || /node_modules|^node:|site-packages/.test(line)) continue;
    return { file, line: Number(match?.[2]) };
  }
  return {};
}
