import { editorView } from './editor-view.js';
import type { EditorState } from './editor.js';
import { line, lineWidth, span, type Line } from './lines.js';
import { messages } from './messages.js';
import type { Region } from './screen.js';
import { ruleLine, statusLine, tasksLine, type SessionStatus, type TaskStatus } from './status-lines.js';
import type { Look } from './theme.js';

/** What the bottom of the screen is made of. */
export interface RegionParts {
  readonly look: Look;
  readonly rows: number;
  readonly now: number;
  /** The open question; it takes the place of everything that merely moves. */
  readonly question: readonly Line[];
  /** The answer is being written in the question's last row. */
  readonly questionOwnsCursor: boolean;
  readonly live: readonly Line[];
  readonly tasks: readonly TaskStatus[];
  readonly queued: readonly string[];
  readonly editor: EditorState;
  readonly status: SessionStatus;
  /** Takes the place of the status for a moment. */
  readonly hint: string | null;
}

export function composeRegion(parts: RegionParts): Region {
  const { look, question } = parts;
  const asking = question.length > 0;
  const tasks = asking ? null : tasksLine(parts.tasks, parts.now, look);
  const queued = asking ? [] : parts.queued.map((text) => queuedLine(text));
  const head = [
    ...(asking ? question : parts.live),
    ...(tasks === null ? [] : [tasks]),
    ruleLine(look),
    ...queued,
  ];
  const draft = editorView(parts.editor, look, draftRows(parts.rows, asking));
  const status = parts.hint === null ? statusLine(parts.status, look) : line(span(`  ${parts.hint}`, 'asks'));
  const cursor =
    asking && parts.questionOwnsCursor
      ? { row: question.length - 1, column: lineWidth(question.at(-1) ?? []) }
      : { row: head.length + draft.cursor.row, column: draft.cursor.column };
  return { lines: [...head, ...draft.lines, status], cursor };
}

/** Rows below a question: rule, draft and status. What is left over belongs to the question. */
export function rowsBelowQuestion(editor: EditorState, look: Look, rows: number): number {
  return 1 + editorView(editor, look, draftRows(rows, true)).lines.length + 1;
}

function draftRows(rows: number, asking: boolean): number {
  return asking ? 3 : Math.max(1, Math.floor(rows / 2));
}

function queuedLine(text: string): Line {
  return line(span(`  ${messages.running.queued}: ${text.split('\n')[0] ?? ''}`, 'meta'));
}
