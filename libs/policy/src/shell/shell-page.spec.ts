import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_RULES } from './destructive/git-loss.js';
import { DESTRUCTIVE_CHAPTERS } from './destructive/destructive-table.js';
import { EFFECT_CHAPTERS } from './effects/effect-table.js';
import { READ_ONLY_RULES } from './read-only.js';

const PAGE = join(__dirname, '../../spec/shell.md');

type Row = readonly string[];

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');
const words = (option: readonly string[] | undefined): string => (option === undefined ? '' : code(option));

/** Each table of the page, from the data that the engine uses. */
function tables(): Record<string, readonly Row[]> {
  const built: Record<string, readonly Row[]> = {};
  for (const [chapter, rules] of Object.entries(DESTRUCTIVE_CHAPTERS)) {
    const rows = rules.map((rule) => [code(rule.programs), rule.when, rule.why]);
    const git = GIT_RULES.map((rule) => [code(rule.verbs.map((verb) => `git ${verb}`)), rule.when, rule.why]);
    built[`destructive ${chapter}`] = [['Programs', 'When', 'Why'], ...(chapter === 'git' ? git : rows)];
  }
  for (const [chapter, rules] of Object.entries(EFFECT_CHAPTERS)) {
    const rows = rules.map((rule) => [
      code(rule.programs),
      rule.operands,
      words(rule.reads),
      words(rule.writes),
      rule.why,
    ]);
    built[`effects ${chapter}`] = [
      ['Programs', 'Operands', 'Read by option', 'Written by option', 'Why'],
      ...rows,
    ];
  }
  built['read-only'] = [
    ['Programs', 'Which calls'],
    ...READ_ONLY_RULES.map((rule) => [code(rule.programs), rule.when]),
  ];
  return built;
}

function rendered([head = [], ...rows]: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Cells without the padding that a formatter adds. */
function plain(table: string): string {
  return table
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replaceAll(/\s+/g, ' ').replaceAll(/-{3,}/g, '---').trim())
    .join('\n');
}

const section = (name: string): RegExp =>
  new RegExp(`(<!-- table: ${name} -->\\n)([\\s\\S]*?)(<!-- end -->)`);

describe('the page about shell commands', () => {
  // `UPDATE_PAGES=1` writes the tables anew after a rule was changed.
  if (process.env['UPDATE_PAGES'] === '1') {
    let page = readFileSync(PAGE, 'utf8');
    for (const [name, rows] of Object.entries(tables())) {
      page = page.replace(
        section(name),
        (_, open: string, _old: string, end: string) =>
          `${open}<!-- prettier-ignore-start -->\n\n${rendered(rows)}\n\n<!-- prettier-ignore-end -->\n${end}`,
      );
    }
    writeFileSync(PAGE, page);
  }

  const page = readFileSync(PAGE, 'utf8');

  it.each(Object.entries(tables()))('shows the table "%s" as the engine has it', (name, rows) => {
    const shown = section(name).exec(page)?.[2] ?? 'the page lacks this table';
    expect(plain(shown)).toBe(plain(rendered(rows)));
  });
});
