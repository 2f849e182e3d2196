import type { SessionSummary } from '@wrongstack/contracts';
import { escapeText } from './escape-text.js';
import { formatAge, formatBytes, formatCoarseAge } from './format.js';
import { line, span, type Line, type Tone } from './lines.js';
import { messages } from './messages.js';
import { clipText, textWidth } from './graphemes.js';
import { shortTaskId } from './task-ids.js';
import { tableLines } from './table.js';
import type { Look } from './theme.js';

export interface TaskRow {
  readonly id: string;
  readonly state: string;
  readonly exitCode: number | null;
  readonly tool: string;
  readonly ageMs: number;
  readonly outputBytes: number;
  readonly command: string;
}

export function taskTable(tasks: readonly TaskRow[], look: Look): Line[] {
  const ids = tasks.map(({ id }) => id);
  return tableLines(
    [
      { title: 'ID' },
      { title: 'STATE' },
      { title: 'TOOL' },
      { title: 'AGE' },
      { title: 'OUT' },
      { title: 'COMMAND' },
    ],
    tasks.map((task) => [
      look.plain ? task.id : shortTaskId(task.id, ids),
      {
        text: task.state === 'failed' && task.exitCode !== null ? `failed:${task.exitCode}` : task.state,
        tone: stateTone(task.state),
      },
      task.tool,
      task.state === 'running' ? formatAge(task.ageMs).replace(' ', '') : formatCoarseAge(task.ageMs),
      formatBytes(task.outputBytes),
      task.command,
    ]),
    look,
  );
}

function stateTone(state: string): Tone {
  if (state === 'failed' || state === 'lost') return 'failed';
  return state === 'completed' ? 'ok' : 'text';
}

/** `✓ task t-4k npm run build · exit 0 · 2m03s · 4,812 lines`. */
export function taskDoneLine(
  task: {
    readonly id: string;
    readonly command: string;
    readonly exitCode: number | null;
    readonly state: string;
  },
  facts: readonly string[],
  look: Look,
): Line {
  const good = task.state === 'completed' && (task.exitCode ?? 0) === 0;
  const mark = good ? look.marks.ok : look.marks.failed;
  const name = `task ${shortTaskId(task.id)}`;
  const all = [task.exitCode === null ? task.state : `exit ${task.exitCode}`, ...facts]
    .map((fact) => look.marks.dot + fact)
    .join('');
  // What happened stays, the command gives way.
  const room = Math.max(8, look.columns - textWidth(`${mark} ${name} ${all}`));
  const command = escapeText(task.command.replace(/\s*\n\s*/g, ' '));
  return line(
    span(mark, good ? 'ok' : 'failed'),
    ' ',
    span(name, 'strong'),
    ` ${clipText(command, room, look.marks.ellipsis)}`,
    span(all, good ? 'meta' : 'failed'),
  );
}

/** Rows of `session list` and of the picker: age, branch, calls, denials and state before the preview. */
export function sessionTable(sessions: readonly SessionSummary[], now: number, look: Look): Line[] {
  return tableLines(
    [
      { title: 'SESSION' },
      { title: 'AGE', align: 'right' },
      { title: 'BRANCH' },
      { title: 'CALLS', align: 'right' },
      { title: 'DENIED', align: 'right' },
      { title: 'STATE' },
      { title: 'PREVIEW' },
    ],
    sessions.map((session) => [
      session.id,
      formatCoarseAge(now - Date.parse(session.updatedAt)),
      session.branch ?? '',
      String(session.calls),
      { text: String(session.denials), tone: session.denials > 0 ? 'denied' : 'text' },
      { text: session.state, tone: session.state === 'interrupted' ? 'asks' : 'text' },
      session.preview,
    ]),
    look,
  );
}

/** After a resume: a call that was open is decided anew, and the person is told. */
export function decidedAgainLine(tool: string, revision: number | null, look: Look): Line {
  return line(span(`${look.marks.warning} ${messages.session.decidedAgain(tool, revision)}`, 'asks'));
}
