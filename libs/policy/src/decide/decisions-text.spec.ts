import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DANGEROUS_CAPABILITIES } from '@wrongstack/contracts';
import { CREDENTIAL_PLACES } from '../facts/credential-paths.js';
import type { SpecialPlace } from '../facts/file-names.js';
import { PROTECTED_PLACES } from '../facts/protected-paths.js';
import { DESTRUCTIVE_CHAPTERS } from '../shell/destructive/destructive-table.js';
import { GIT_RULES } from '../shell/destructive/git-loss.js';
import { READ_ONLY_RULES } from '../shell/read-only.js';
import { DEFAULT_LOCKS } from '../rules/merge-locks.js';

const FILE = join(__dirname, '../../spec/decisions.md');
// Prettier would pad the tables, and a padded table cannot be compared with a list.
const MARK = '<!-- prettier-ignore-start -->\n';
const END = '\n<!-- prettier-ignore-end -->\n';

/** The text names every row of the tables that decide, and the defaults that it promises are the real ones. */
describe('decisions.md', () => {
  it('has appendices that match the tables in the code (else run once with UPDATE_DECISIONS=1)', () => {
    const [body = ''] = readFileSync(FILE, 'utf8').split(MARK);
    const expected = body + MARK + appendices() + END;
    if (process.env['UPDATE_DECISIONS'] === '1') writeFileSync(FILE, expected);
    expect(readFileSync(FILE, 'utf8')).toBe(expected);
  });

  it('names every dangerous capability', () => {
    const text = readFileSync(FILE, 'utf8');
    expect(DANGEROUS_CAPABILITIES.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('promises the defaults that are in force', () => {
    const { trustTtlHours, staleGraceHours, subagentMaxDepth } = DEFAULT_LOCKS;
    expect(readFileSync(FILE, 'utf8').replace(/ +/g, ' ')).toContain(
      `| the least | ${trustTtlHours}, ${staleGraceHours}, ${subagentMaxDepth} |`,
    );
  });
});

function appendices(): string {
  const chapters = Object.entries(DESTRUCTIVE_CHAPTERS).filter(([chapter]) => chapter !== 'git');
  const destructive = chapters.flatMap(([chapter, rules]) =>
    rules.map(({ programs, when, why }) => [chapter, code(programs), when, why]),
  );
  const git = GIT_RULES.map(({ verbs, when, why }) => [
    'git',
    code(verbs.map((verb) => `git ${verb}`)),
    when,
    why,
  ]);
  return [
    section(
      'Appendix A: destructive calls',
      'A call that asks for help or only reports is not one. A word that is not static counts as the worst that it could be.',
      ['Chapter', 'Programs', 'Which calls', 'Why'],
      [...destructive, ...git],
    ),
    section(
      'Appendix B: protected paths',
      'A write there asks although writing is allowed. Matched anywhere in a path, as the strictest file system reads it. ' +
        'What a program keeps for itself, as git does in `.git/`, is excepted.',
      ['Path', 'Why'],
      byReason(PROTECTED_PLACES),
    ),
    section(
      'Appendix C: credentials',
      'Reading one asks. Templates such as `.env.example` and public certificates are none.',
      ['Path', 'What'],
      byReason(CREDENTIAL_PLACES),
    ),
    section(
      'Appendix D: readOnlyCommands',
      'Members of the built-in set.',
      ['Programs', 'Which calls'],
      READ_ONLY_RULES.map(({ programs, when }) => [code(programs), when]),
    ),
  ].join('\n');
}

/** As written in the code, so that a reader can search for a path. */
function byReason(places: readonly SpecialPlace[]): string[][] {
  const rows = new Map<string, string[]>();
  for (const one of places) rows.set(one.reason, [...(rows.get(one.reason) ?? []), spelling(one)]);
  return [...rows].map(([reason, patterns]) => [code(patterns), reason]);
}

function spelling({ names, below, anchored }: SpecialPlace): string {
  return `${anchored ? '/' : ''}${names.join('/')}${below ? '/' : ''}`;
}

function section(title: string, text: string, head: readonly string[], rows: readonly string[][]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return ['', `## ${title}`, '', text, '', row(head), row(head.map(() => '---')), ...rows.map(row), ''].join(
    '\n',
  );
}

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(' ');
}
