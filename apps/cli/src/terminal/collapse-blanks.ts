import { isHidden, spelled } from '@wrongstack/contracts';
import { escapeText } from './escape-text.js';

/**
 * Text of a question: beside escaping, runs of blanks are replaced by their count, so that padding cannot push the part
 * that matters out of view. What is collapsed is only how it is shown; the command that runs is untouched.
 */

/** Indentation up to here is ordinary; longer, or inside a line, is padding. */
const INDENT_LIMIT = 24;
const RUN_LIMIT = 8;
const BLANK_LINES_LIMIT = 2;

const ANY_BLANK = /[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u3164\u2800\u115f\u1160\uffa0]/u;
// To a shell only space and tab separate words, so every other blank is spelled out rather than drawn as one.
const FOREIGN_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

/** Lines of a command as a question shows them. */
export function promptLines(text: string): string[] {
  const lines: string[] = [];
  let blank = 0;
  const flush = (): void => {
    if (blank > BLANK_LINES_LIMIT) lines.push(counted(blank, 'blank lines'));
    else for (let i = 0; i < blank; i += 1) lines.push('');
    blank = 0;
  };
  for (const line of text.split(/\r?\n/)) {
    if (isBlank(line)) {
      blank += 1;
      continue;
    }
    flush();
    lines.push(collapseLine(line));
  }
  flush();
  return lines;
}

function isBlank(line: string): boolean {
  return Array.from(line).every((character) => ANY_BLANK.test(character));
}

function collapseLine(line: string): string {
  let out = '';
  let run = '';
  const flush = (): void => {
    out += shownRun(run, out === '');
    run = '';
  };
  let rest = '';
  for (const character of Array.from(line)) {
    if (ANY_BLANK.test(character)) {
      out += rest === '' ? '' : escapeText(rest);
      rest = '';
      run += character;
      continue;
    }
    if (run !== '') flush();
    rest += character;
  }
  out += rest === '' ? '' : escapeText(rest);
  // Blanks at the end of a line change nothing that can be seen, but a long run of them is worth a word.
  if (run !== '') flush();
  return out;
}

function shownRun(run: string, leading: boolean): string {
  const length = Array.from(run).length;
  const limit = leading && /^[ \t]*$/.test(run) ? INDENT_LIMIT : RUN_LIMIT;
  if (length > limit) return counted(length, 'blanks');
  const named = run.replace(FOREIGN_BLANK, (blank) => spelled(blank.codePointAt(0) ?? 0));
  return Array.from(named)
    .map((character) => (isHidden(character.codePointAt(0) ?? 0) ? escapeText(character) : character))
    .join('');
}

function counted(count: number, what: string): string {
  return `[${count} ${what}]`;
}
