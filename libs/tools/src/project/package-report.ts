/** What `audit` and `outdated` say, one line a package, most serious first. */
export interface PackageReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly lines: readonly string[];
}

const SEVERITIES = ['critical', 'high', 'moderate', 'medium', 'low', 'info'];

/** Null when the output is no report of a package manager that is known. */
export function parseAudit(output: string): PackageReport | null {
  const values = jsonValues(output);
  const advisories = values.flatMap(advisoriesIn);
  const known = values.some((value) => isAuditSummary(value)) || advisories.length > 0;
  if (!known) return null;
  const counts: Record<string, number> = {};
  for (const { severity } of advisories) counts[severity] = (counts[severity] ?? 0) + 1;
  const order = (severity: string): number => (SEVERITIES.indexOf(severity) + 10) % 10;
  const lines = advisories
    .sort((left, right) => order(left.severity) - order(right.severity) || (left.name < right.name ? -1 : 1))
    .map(({ name, severity, about }) => `${severity} ${name}${about === '' ? '' : ` ${about}`}`);
  return { counts, lines: [...new Set(lines)] };
}

interface Advisory {
  readonly name: string;
  readonly severity: string;
  readonly about: string;
}

function isAuditSummary(value: unknown): boolean {
  return (
    ['auditReportVersion', 'metadata', 'vulnerabilities', 'advisories', 'dependencies'].some(
      (name) => field(value, name) !== undefined,
    ) || field(value, 'type') === 'auditSummary'
  );
}

/** npm's map of vulnerabilities, the advisories of pnpm and yarn, cargo's list, pip-audit's dependencies. */
function advisoriesIn(value: unknown): Advisory[] {
  const found: Advisory[] = [];
  const add = (name: unknown, severity: unknown, about: unknown): void => {
    if (typeof name === 'string')
      found.push({ name, severity: word(severity, 'unknown'), about: word(about, '') });
  };
  for (const [name, entry] of entries(field(value, 'vulnerabilities'))) {
    if (field(entry, 'via') !== undefined) {
      const fix = field(entry, 'fixAvailable') === false ? '' : ', fix available';
      add(name, field(entry, 'severity'), `${word(field(entry, 'range'), '')}${fix}${titlesOf(entry)}`);
    }
  }
  for (const [, entry] of entries(field(value, 'advisories'))) {
    add(field(entry, 'module_name'), field(entry, 'severity'), field(entry, 'title'));
  }
  const yarn = field(field(value, 'data'), 'advisory');
  if (yarn !== undefined) add(field(yarn, 'module_name'), field(yarn, 'severity'), field(yarn, 'title'));
  for (const entry of list(field(field(value, 'vulnerabilities'), 'list'))) {
    const advisory = field(entry, 'advisory');
    add(field(advisory, 'package'), field(advisory, 'severity'), field(advisory, 'title'));
  }
  for (const entry of list(field(value, 'dependencies'))) {
    for (const bug of list(field(entry, 'vulns'))) add(field(entry, 'name'), 'unknown', field(bug, 'id'));
  }
  return found;
}

/** npm names a package that is only reached through another one by that one's name, which stands in a line of its own. */
function titlesOf(entry: unknown): string {
  const titles = list(field(entry, 'via')).flatMap((via) => word(field(via, 'title'), '') || []);
  return titles.length === 0 ? '' : `: ${[...new Set(titles)].join('; ')}`;
}

export function parseOutdated(output: string): PackageReport | null {
  const values = jsonValues(output);
  const lines = values.flatMap((value) => outdatedIn(value));
  const goLines = output
    .split('\n')
    .filter((line) => /^\S+ v\S+ v\S+$/.test(line))
    .map((line) => line.replace(/ (v\S+)$/, ' → $1'));
  if (values.length === 0 && goLines.length === 0 && output.trim() !== '') return null;
  const all = [...lines, ...goLines].sort();
  return { counts: { outdated: all.length }, lines: all };
}

function outdatedIn(value: unknown): readonly string[] {
  const table = list(field(field(value, 'data'), 'body'));
  if (table.length > 0) {
    return table.map((row) => {
      const cells = list(row).map((cell) => word(cell, '?'));
      return `${cells[0] ?? '?'} ${cells[1] ?? '?'} → ${cells[3] ?? '?'}`;
    });
  }
  if (Array.isArray(value)) {
    return value.flatMap((entry) => {
      const name = field(entry, 'name');
      return typeof name === 'string'
        ? [`${name} ${word(field(entry, 'version'), '?')} → ${word(field(entry, 'latest_version'), '?')}`]
        : [];
    });
  }
  return entries(value).flatMap(([name, entry]) => {
    // The same package in several places of a workspace is a list.
    const first = Array.isArray(entry) ? (entry[0] as unknown) : entry;
    const latest = field(first, 'latest');
    return typeof latest === 'string'
      ? [`${name} ${word(field(first, 'current'), 'missing')} → ${latest}`]
      : [];
  });
}

/** One JSON text, or one a line. */
function jsonValues(output: string): readonly unknown[] {
  const whole = parse(output);
  if (whole !== undefined) return [whole];
  return output.split('\n').flatMap((line) => {
    const value = line.startsWith('{') || line.startsWith('[') ? parse(line) : undefined;
    return value === undefined ? [] : [value];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function entries(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function word(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value.slice(0, 200) : fallback;
}
