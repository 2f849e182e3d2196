import type { ContentBlock, ToolCallStatus, ToolCallView, ToolResultView } from '@wrongstack/contracts';
import { countDiffs, diffLines } from './diff-lines.js';
import { formatAge, formatBytes, formatDuration, formatEstimate, shortenHome } from './format.js';
import { clipText, textWidth } from './graphemes.js';
import { clipLine, line, span, type Line, type Tone } from './lines.js';
import { messages } from './messages.js';
import { escapedLines } from './escape-text.js';
import { shortTaskId } from './task-ids.js';
import type { Look } from './theme.js';

export interface FinishedCall {
  readonly tool: string;
  readonly call: ToolCallView;
  readonly result: ToolResultView;
  /** `interrupted`: its process ended first, so nobody knows what it did or for how long. */
  readonly status: ToolCallStatus | 'interrupted';
  readonly isError: boolean;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** Set when the call goes on in the background: its task. */
  readonly task?: string | null;
  /** Name of the subagent, or null for the person's own agent. */
  readonly agent: string | null;
}

export interface Card {
  readonly lines: readonly Line[];
  /** Everything, where `lines` had to leave something out; Ctrl-O prints it. */
  readonly full: readonly Line[] | null;
}

const HEAD = 3;
const TAIL = 8;
const DIFF_ROWS = 40;
/** Of a card, in a pipe, which has no width: a program may print a megabyte without a line break. */
const LONGEST_ROW = 1_000;

/** The finished card: a state line, then what the kind of card shows below it. The key is named where it works. */
export function resultCard(finished: FinishedCall, look: Look, expandable = !look.plain): Card {
  const body = bodyOf(finished, look, expandable);
  const head = headLine(finished, look);
  const clip = (rows: readonly Line[]): Line[] =>
    rows.map((row) => clipLine(row, Math.min(look.columns, LONGEST_ROW), look.marks.ellipsis));
  return {
    lines: [head, ...clip(body.lines)],
    full: body.full === null ? null : [head, ...body.full],
  };
}

function headLine(finished: FinishedCall, look: Look): Line {
  const good = finished.status === 'ok' && !finished.isError && (exitCodeOf(finished) ?? 0) === 0;
  const tone: Tone = good ? 'ok' : finished.status === 'denied' ? 'denied' : 'failed';
  const mark = good ? look.marks.ok : finished.status === 'denied' ? look.marks.denied : look.marks.failed;
  const title = finished.result.title ?? finished.call.title;
  const facts = factsOf(finished, good).map((fact) => look.marks.dot + fact);
  return titledLine(look, mark, tone, finished.tool, title, facts.join(''), finished.agent);
}

function factsOf(finished: FinishedCall, good: boolean): string[] {
  // It has not ended, so there is no duration, exit code or output yet.
  if (typeof finished.task === 'string') return [messages.running.inBackground(shortTaskId(finished.task))];
  const facts: string[] = [];
  const { result } = finished;
  if (result.card === 'diff') {
    const { added, removed } = countDiffs(result.diffs);
    facts.push(`+${added} -${removed}`);
  }
  const exit = exitCodeOf(finished);
  if (exit !== null && (exit !== 0 || result.card === 'terminal')) facts.push(`exit ${exit}`);
  if (result.card === 'terminal' && result.signal !== undefined) facts.push(`signal ${result.signal}`);
  if (result.card === 'generic' && good) facts.push(...contentFacts(result.content));
  // A word beside the mark, always: the exit code is that word where there is one.
  if (finished.status !== 'ok') facts.push(finished.status);
  else if (finished.isError && exit === null) facts.push('failed');
  if (finished.status !== 'interrupted' && (result.card !== 'diff' || !good))
    facts.push(formatDuration(finished.durationMs));
  return facts;
}

function exitCodeOf({ result, exitCode }: FinishedCall): number | null {
  return (result.card === 'terminal' ? result.exitCode : undefined) ?? exitCode;
}

function contentFacts(content: readonly ContentBlock[] | undefined): string[] {
  const text = textOf(content);
  const images = (content ?? []).filter((block) => block.type === 'image').length;
  const facts: string[] = [];
  if (text !== '') {
    const rows = text.replace(/\n$/, '').split('\n').length;
    facts.push(rows === 1 ? formatBytes(Buffer.byteLength(text)) : messages.running.expand(rows));
  }
  if (images > 0) facts.push(`${images} image${images === 1 ? '' : 's'}`);
  return facts;
}

function bodyOf(
  finished: FinishedCall,
  look: Look,
  expandable: boolean,
): { lines: Line[]; full: Line[] | null } {
  const { result } = finished;
  switch (result.card) {
    case 'diff': {
      const rows = result.diffs.flatMap((diff) => [
        ...(result.diffs.length > 1 ? [line(span(`  ${shortenHome(diff.path, look.home)}`, 'strong'))] : []),
        ...diffLines(diff, 0, look),
      ]);
      return headAndTail(rows, DIFF_ROWS, 0, look, expandable);
    }
    case 'terminal':
      return headAndTail(outputLines(result.output ?? '', result.stderr), HEAD, TAIL, look, expandable);
    case 'generic': {
      const rows = outputLines(textOf(result.content));
      // The first line says enough of a success in the state line; of a failure it is the reason.
      if (finished.status === 'ok' && !finished.isError)
        return { lines: [], full: rows.length > 0 ? rows : null };
      return { lines: rows.slice(0, 1), full: rows.length > 1 ? rows : null };
    }
  }
}

/** Rows of the standard error are marked. */
function outputLines(text: string, stderr: readonly number[] = []): Line[] {
  const rows = escapedLines(text.replace(/(\r?\n)+$/, ''));
  if (rows.length === 1 && rows[0] === '') return [];
  const marked = new Set(stderr);
  return rows.map((row, index) =>
    marked.has(index) ? line(span('  err| ', 'failed'), row) : line(`  ${row}`),
  );
}

function headAndTail(
  rows: Line[],
  head: number,
  tail: number,
  look: Look,
  expandable: boolean,
): { lines: Line[]; full: Line[] | null } {
  // One hidden line would take as much room as the line that says so.
  if (rows.length <= head + tail + 1) return { lines: rows, full: null };
  const hidden = rows.length - head - tail;
  const key = expandable ? look.marks.dot + messages.running.expandKey : '';
  const fold = span(`  ${look.marks.more} ${messages.running.expand(hidden)}${key}`, 'meta');
  return { lines: [...rows.slice(0, head), line(fold), ...(tail > 0 ? rows.slice(-tail) : [])], full: rows };
}

function textOf(content: readonly ContentBlock[] | undefined): string {
  return (content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** `✗ bash npm test · exit 1`: the title gives way when it is narrow, the facts stay. */
export function titledLine(
  look: Look,
  mark: string,
  tone: Tone,
  tool: string,
  title: string,
  facts: string,
  agent: string | null,
): Line {
  const name = agent === null ? tool : `${agent}: ${tool}`;
  const label = look.plain ? `${messages.labels.tool} ` : '';
  const shown = withoutToolName(tool, escapedLines(title)[0] ?? '');
  const fixed = textWidth(`${label}${mark} ${name} ${facts}`);
  const room = Math.max(8, Math.min(look.columns, LONGEST_ROW) - fixed);
  const cut = title.includes('\n') && textWidth(shown) < room ? `${shown} ${look.marks.more}` : shown;
  const text = cut === '' ? '' : ` ${clipText(cut, room, look.marks.ellipsis)}`;
  return clipLine(
    line(
      label,
      span(mark, tone),
      ' ',
      span(name, 'strong'),
      text,
      span(facts, tone === 'ok' ? 'meta' : tone),
    ),
    look.columns,
    look.marks.ellipsis,
  );
}

// Presenters like to write `read src/a.ts`; the name is already there.
function withoutToolName(tool: string, title: string): string {
  if (title.toLowerCase() === tool.toLowerCase()) return '';
  return title.toLowerCase().startsWith(`${tool.toLowerCase()} `) ? title.slice(tool.length + 1) : title;
}

export interface RunningCall {
  readonly tool: string;
  readonly call: ToolCallView;
  readonly elapsedMs: number;
  readonly estimateMs: number | null;
  readonly agent: string | null;
  /** The last `log` event: dim, and gone with the next one. */
  readonly log: string | null;
  /** The last `metric` event. */
  readonly metric: Readonly<Record<string, unknown>> | null;
  /** The tail of `partial_output`. */
  readonly output: readonly string[];
  readonly canBackground: boolean;
  readonly frame: number;
}

/** `⠋ bash npm run build · 12 s of ~60 s · Ctrl-B backgrounds`, then what the tool reports, at most three rows. */
export function runningLines(running: RunningCall, look: Look): Line[] {
  const { spinner, dot } = look.marks;
  const elapsed = formatAge(running.elapsedMs);
  const time =
    running.estimateMs === null ? elapsed : messages.running.of(elapsed, formatEstimate(running.estimateMs));
  const mark = spinner[running.frame % spinner.length] ?? '';
  const headWith = (facts: readonly string[]): Line => {
    const text = facts.map((fact) => dot + fact).join('');
    return titledLine(look, mark, 'text', running.tool, running.call.title, text, running.agent);
  };
  // Where it is narrow, what runs matters more than the key.
  const roomy = look.columns >= 60 && running.canBackground;
  const head = headWith(roomy ? [time, messages.running.backgrounds] : [time]);
  const rows = [
    ...running.output.map((row) => line(span(`  ${row}`))),
    ...(running.log === null ? [] : [line(span(`  ${escapedLines(running.log)[0] ?? ''}`, 'meta'))]),
    ...(running.metric === null ? [] : [progressWidget(running.metric, look)]),
  ];
  return [head, ...rows.map((row) => clipLine(row, look.columns, look.marks.ellipsis))];
}

/** `[#####-----] 50% · 120/240 files` where the numbers say a share, else `lines 812 · bytes 96 KB`. */
export function progressWidget(metric: Readonly<Record<string, unknown>>, look: Look): Line {
  const entries = Object.entries(metric).filter(([, value]) =>
    ['number', 'string', 'boolean'].includes(typeof value),
  );
  const number = (...names: string[]): number | null => {
    for (const name of names) {
      const value = metric[name];
      if (typeof value === 'number' && Number.isFinite(value)) return value;
    }
    return null;
  };
  const total = number('total', 'of', 'max');
  const done = number('done', 'current', 'completed', 'value');
  if (total !== null && done !== null && total > 0) {
    const share = Math.min(1, Math.max(0, done / total));
    const filled = Math.round(share * 20);
    const bar = `[${'#'.repeat(filled)}${'-'.repeat(20 - filled)}] ${Math.floor(share * 100)}%`;
    const unit = typeof metric['unit'] === 'string' ? ` ${metric['unit']}` : '';
    return line(span(`  ${bar}${look.marks.dot}${done}/${total}${unit}`, 'meta'));
  }
  const shown = entries.slice(0, 5).map(([name, value]) => `${name} ${metricValue(name, value)}`);
  return line(span(`  ${shown.join(look.marks.dot)}`, 'meta'));
}

function metricValue(name: string, value: unknown): string {
  return typeof value === 'number' && /bytes$/i.test(name) ? formatBytes(value) : String(value);
}
