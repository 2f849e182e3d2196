/** One complaint of a linter, formatter or compiler. */
export interface Finding {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** A minified line is no report. */
const MOST_LINE_CHARACTERS = 2000;

const TSC = /^(.+?)\((\d+),(\d+)\): (error|warning) (.*)$/;
const PLACED = /^(?:vet: )?([^\s:][^:]*):(\d+)(?::(\d+))?(?:: ?| - | )(.*)$/;
const BELOW_FILE = /^\s+(\d+):(\d+)\s+(error|warning)\s+(.*)$/;
const UNFORMATTED = /^\[warn\] (\S.*)$/;
const UNFORMATTED_FILE = /^(?:would reformat|Would reformat:) (.*)$/;

/**
 * Findings in the text that linters, formatters and compilers print: `file:line:column message` in its variants, eslint's
 * lines below a file name, tsc's `file(line,column)`, and the lists of unformatted files.
 */
export function parseFindings(output: string): readonly Finding[] {
  const findings: Finding[] = [];
  let file: string | undefined;
  for (const line of plainLines(output)) {
    const below = BELOW_FILE.exec(line);
    if (below !== null && file !== undefined) {
      findings.push(
        placed(file, below[1], below[2], `${below[3] ?? ''}: ${(below[4] ?? '').replace(/\s{2,}/g, ' · ')}`),
      );
      continue;
    }
    const finding = onOneLine(line);
    if (finding !== null) findings.push(finding);
    else if (/^(?:\/|[A-Za-z]:\\|\.?[\w@-]).*\.\w+$/.test(line)) file = line;
    else if (line === '') file = undefined;
  }
  return findings;
}

export function plainLines(output: string): readonly string[] {
  return output
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split(/\r?\n/)
    .filter((line) => line.length <= MOST_LINE_CHARACTERS);
}

function onOneLine(line: string): Finding | null {
  const tsc = TSC.exec(line);
  if (tsc !== null) return placed(tsc[1] ?? '', tsc[2], tsc[3], `${tsc[4] ?? ''}: ${tsc[5] ?? ''}`);
  const unformatted = UNFORMATTED.exec(line) ?? UNFORMATTED_FILE.exec(line);
  if (unformatted !== null) {
    // The line after the list is a sentence, not a file.
    if (/^(?:Code style issues|All matched files)/.test(unformatted[1] ?? '')) return null;
    return { file: unformatted[1] ?? '', severity: 'warning', message: 'not formatted' };
  }
  const match = PLACED.exec(line);
  if (match === null || (match[4] ?? '') === '' || !/[./\\]/.test(match[1] ?? '')) return null;
  return placed(match[1] ?? '', match[2], match[3], match[4] ?? '');
}

function placed(file: string, line: string | undefined, column: string | undefined, text: string): Finding {
  const severity = /^(?:warning|note|info|help|warn)\b/i.test(text) ? 'warning' : 'error';
  const message = text.replace(/^(?:error|warning|note)(?:: | )/, '').trim();
  return {
    file,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
    severity,
    message,
  };
}

export function findingText({ file, line, column, severity, message }: Finding): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${place} ${severity}: ${message}`;
}
