import type { ApprovalRequest } from '@wrongstack/contracts';
import { lineText } from '../terminal/lines.js';
import { questionView } from '../terminal/question-lines.js';
import { createTheme, type Look } from '../terminal/theme.js';
import { fenced } from './wire-content.js';

/** Wide, since whoever shows it wraps by itself. */
const COLUMNS = 400;

const look = (home: string): Look => ({
  marks: createTheme({ color: false, unicode: true, plain: false, tty: false }).marks,
  columns: COLUMNS,
  plain: false,
  unicode: true,
  home,
});

/** What the terminal would show with a question: the whole command or diff, what it touches, every floor that stands. */
export function questionText(request: ApprovalRequest, home: string, now: number): string {
  const { head, body } = questionView(request, look(home), now);
  return [head, ...body].map(lineText).join('\n');
}

/** The same beside a card, where the editor draws a diff better than we could write it. */
export function permissionText(request: ApprovalRequest, home: string, now: number): string {
  const { view } = request;
  const shown: ApprovalRequest =
    view.card === 'diff' ? { ...request, view: { ...view, diffs: [] } } : request;
  return fenced(questionText(shown, home, now), '');
}
