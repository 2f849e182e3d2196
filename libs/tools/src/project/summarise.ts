import { findingText, parseFindings } from './findings.js';
import { parseAudit, parseOutdated, type PackageReport } from './package-report.js';
import { parseTestReport, type TestFailure } from './test-report.js';

/** A program's output in short. `lines` come one a finding; `known` = the output was understood. */
export interface Summary {
  readonly headline: string;
  readonly lines: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly known: boolean;
}

export type Summarise = (output: ProgramOutput) => Summary;

export interface ProgramOutput {
  readonly stdout: string;
  /** Both streams as they came. */
  readonly all: string;
  readonly exitCode: number | null;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

export const summariseFindings: Summarise = ({ all, exitCode }) => {
  const findings = parseFindings(all);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const counts = { errors, warnings, files: new Set(findings.map(({ file }) => file)).size };
  const headline =
    findings.length === 0
      ? exitCode === 0
        ? 'no findings'
        : 'failed'
      : `${plural(errors, 'error')}, ${plural(warnings, 'warning')} in ${plural(counts.files, 'file')}`;
  return { headline, lines: findings.map(findingText), counts, known: exitCode === 0 || findings.length > 0 };
};

export const summariseTests: Summarise = ({ all, exitCode }): Summary => {
  const report = parseTestReport(all);
  if (report === null) {
    return { headline: exitCode === 0 ? 'passed' : 'failed', lines: [], counts: {}, known: exitCode === 0 };
  }
  const { passed, failed, skipped, failures } = report;
  const headline = [
    `${passed} passed`,
    `${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
  // Why a test failed is in the output: without it the names are of little use.
  return {
    headline,
    lines: failures.map(failureText),
    counts: { passed, failed, skipped },
    known: exitCode === 0,
  };
};

function failureText({ name, file, line }: TestFailure): string {
  return file === undefined ? `failed: ${name}` : `failed: ${name} (${file}:${line ?? 1})`;
}

export const summariseAudit: Summarise = ({ stdout, exitCode }) =>
  ofPackages(parseAudit(stdout), exitCode, 'no known vulnerabilities');

export const summariseOutdated: Summarise = ({ stdout, exitCode }) =>
  ofPackages(parseOutdated(stdout), exitCode, 'everything is up to date');

function ofPackages(report: PackageReport | null, exitCode: number | null, none: string): Summary {
  const counted = Object.entries(report?.counts ?? {}).filter(([, count]) => count > 0);
  // Nothing found by a program that failed is no clean bill: its registry may not have answered.
  if (report === null || (counted.length === 0 && exitCode !== 0)) {
    return { headline: exitCode === 0 ? 'done' : 'failed', lines: [], counts: {}, known: false };
  }
  const headline =
    counted.length === 0 ? none : counted.map(([word, count]) => `${count} ${word}`).join(', ');
  return { headline, lines: report.lines, counts: report.counts, known: true };
}

/** An installation is judged by its exit code; its last lines say what was done. */
export const summariseInstall: Summarise = ({ exitCode }) => ({
  headline: exitCode === 0 ? 'installed' : 'failed',
  lines: [],
  counts: {},
  known: false,
});
