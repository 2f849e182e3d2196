import { MENU_ROWS } from './completion.js';
import type { EditorState, Menu, Search } from './editor.js';
import { escapeText } from './escape-text.js';
import { graphemes, padText, textWidth } from './graphemes.js';
import { clipLine, line, span, type Line } from './lines.js';
import { messages } from './messages.js';
import type { Look } from './theme.js';

export interface EditorView {
  readonly lines: readonly Line[];
  /** Row within `lines`, and column. */
  readonly cursor: { readonly row: number; readonly column: number };
}

const PROMPT = '> ';
const CONTINUED = '  ';

/** The draft with its cursor, at most `maxRows` rows around it, and the menu or search below. */
export function editorView(state: EditorState, look: Look, maxRows: number): EditorView {
  if (state.search !== null) return searchView(state.search, look);
  const { rows, cursor } = draftRows(state.draft.text, state.draft.cursor, look.columns - PROMPT.length);
  const window = Math.max(1, maxRows);
  const first = Math.min(Math.max(0, cursor.row - window + 1), Math.max(0, rows.length - window));
  const shown = rows.slice(first, first + window);
  return {
    lines: [
      ...shown.map((row, index) =>
        line(span(first + index === 0 ? PROMPT : CONTINUED, 'strong'), { text: row, tone: 'text' }),
      ),
      ...(state.menu === null ? [] : menuLines(state.menu, look)),
    ],
    cursor: { row: cursor.row - first, column: cursor.column + PROMPT.length },
  };
}

/** Wrapped by grapheme, so that the cursor stands where the next character will. */
function draftRows(
  text: string,
  cursorIndex: number,
  columns: number,
): { rows: string[]; cursor: { row: number; column: number } } {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  let index = 0;
  let cursor = { row: 0, column: 0 };
  const endRow = (): void => {
    rows.push(row);
    row = '';
    width = 0;
  };
  for (const grapheme of graphemes(text)) {
    if (index === cursorIndex) cursor = { row: rows.length, column: width };
    index += grapheme.length;
    if (grapheme === '\n' || grapheme === '\r\n') {
      endRow();
      continue;
    }
    const shown = escapeText(grapheme);
    const cells = textWidth(shown);
    if (width + cells > columns) {
      if (index - grapheme.length === cursorIndex) cursor = { row: rows.length + 1, column: 0 };
      endRow();
    }
    row += shown;
    width += cells;
  }
  if (cursorIndex >= text.length) {
    if (width >= columns) endRow();
    cursor = { row: rows.length, column: width };
  }
  rows.push(row);
  return { rows, cursor };
}

/** One row each, at most eight, the chosen one marked by more than its look. */
export function menuLines(menu: Menu, look: Look): Line[] {
  const sign = menu.target.kind === 'command' ? '/' : '@';
  const first = Math.min(
    Math.max(0, menu.selected - MENU_ROWS + 1),
    Math.max(0, menu.rows.length - MENU_ROWS),
  );
  const shown = menu.rows.slice(first, first + MENU_ROWS);
  const widest = shown.reduce((most, row) => Math.max(most, textWidth(escapeText(row.value))), 0);
  const rest = menu.rows.length - first - shown.length;
  const more = line(span(`  ${look.marks.more} ${messages.session.moreRows(rest)}`, 'meta'));
  const rows = shown.map((row, index) => {
    const chosen = first + index === menu.selected;
    const name = `${sign}${padText(escapeText(row.value), widest)}`;
    const description = row.description === undefined ? '' : `  ${row.description}`;
    const mark = span(chosen ? '> ' : '  ', 'strong');
    return clipLine(
      line(mark, span(name, chosen ? 'strong' : 'text'), span(description, 'meta')),
      look.columns,
      look.marks.ellipsis,
    );
  });
  return rest > 0 ? [...rows, more] : rows;
}

function searchView(search: Search, look: Look): EditorView {
  const label = `${messages.session.historySearch}: `;
  const found = search.found?.text.split('\n')[0] ?? '';
  const nothing = search.query !== '' && search.found === null ? messages.session.noMatch : '';
  const query = escapeText(search.query);
  const tail = found === '' && nothing === '' ? '' : `  ${look.marks.arrow} ${found}${nothing}`;
  return {
    lines: [
      clipLine(line(span(label, 'strong'), query, span(tail, 'meta')), look.columns, look.marks.ellipsis),
    ],
    cursor: { row: 0, column: Math.min(look.columns - 1, textWidth(label + query)) },
  };
}
