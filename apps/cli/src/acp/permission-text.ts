import type { ApprovalRequest } from '@wrongstack/contracts';
import { lineText } from '../terminal/lines.js';
import { questionView } from '../terminal/question-lines.js';
import { createTheme, type Look } from '../terminal/theme.js';
import { fenced } from './wire-content.js';

/** Wide, since the editor wraps by itself. */
const COLUMNS = 400;

const look = (home: string): Look => ({
  marks: createTheme({ color: false, unicode: true, plain: false, tty: false }).marks,
  columns: COLUMNS,
  plain: false,
  unicode: true,
  home,
});

/** What the terminal would show with the question: the whole command, what it touches, and every floor that stands. */
export function permissionText(request: ApprovalRequest, home: string, now: number): string {
  const { view } = request;
  // The editor draws a diff better than we could write it.
  const shown: ApprovalRequest =
    view.card === 'diff' ? { ...request, view: { ...view, diffs: [] } } : request;
  const { head, body } = questionView(shown, look(home), now);
  return fenced([head, ...body].map(lineText).join('\n'), '');
}
