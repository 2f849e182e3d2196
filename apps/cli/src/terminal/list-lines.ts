import type { SessionSummary } from '@wrongstack/contracts';
import { formatAge, formatBytes, formatCoarseAge } from './format.js';
import { line, span, type Line, type Tone } from './lines.js';
import { messages } from './messages.js';
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
      task.id,
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
  const all = [task.exitCode === null ? task.state : `exit ${task.exitCode}`, ...facts];
  return line(
    span(good ? look.marks.ok : look.marks.failed, good ? 'ok' : 'failed'),
    ' ',
    span(`task ${task.id}`, 'strong'),
    ` ${task.command}`,
    span(all.map((fact) => look.marks.dot + fact).join(''), good ? 'meta' : 'failed'),
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
