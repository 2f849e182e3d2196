import type { PresentableResult, RichToolOutput, ToolResultView } from '@wrongstack/contracts';
import type { ReportingProgram } from './run-program.js';
import { rowMarks, shownOutput, type RowMarks } from '../shell/stderr-rows.js';
import type { Summarise } from './summarise.js';

/** Kept beside the result, for cards and for replay. */
export interface ProgramMeta extends RowMarks {
  readonly runner: string;
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly spill?: string;
}

const MOST_LINES = 60;
/** Of output that nobody understood, or that says why a test failed: its end says most. */
const MOST_TAIL_CHARACTERS = 6000;
const LEFT_OUT = '[… start of output left out …]';

/**
 * Short: what ran and how it ended, then one line a finding; the output itself only where it says more than the
 * findings. A failing program is a normal result.
 */
export function programResult(
  run: { readonly runner: string; readonly argv: readonly string[]; readonly timeoutMs: number },
  end: ReportingProgram,
  summarise: Summarise,
): RichToolOutput {
  const { outcome, output } = end;
  const all = output.binary === undefined ? output.text : '';
  const summary = summarise({ stdout: end.stdout, all, exitCode: outcome.exitCode });
  const shown = summary.lines.slice(0, MOST_LINES);
  const lines = [`${run.argv.join(' ')}: ${summary.headline}`, ...shown];
  if (summary.lines.length > shown.length) lines.push(`[${summary.lines.length - shown.length} more]`);
  const tail = summary.known ? '' : lastLines(all.trimEnd());
  const notes = notesOf(run.timeoutMs, end);
  const above = [...lines, ...(tail === '' ? [] : ['', tail])].join('\n');
  const text = [above, ...notes.map((note) => `[${note}]`)].join('\n');
  const meta: ProgramMeta = {
    runner: run.runner,
    argv: run.argv,
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    timedOut: outcome.timedOut,
    counts: summary.counts,
    ...(tail === '' ? {} : rowMarks(text, tailMarks(above, all.trimEnd(), tail, output.stderr))),
    ...(output.spill === undefined ? {} : { spill: output.spill }),
  };
  return { content: [{ type: 'text', text }], meta, ...(outcome.aborted ? { isError: true } : {}) };
}

/** The output's end stands at the end of the text above the notes: rows are counted from there. */
function tailMarks(above: string, all: string, tail: string, stderr: readonly number[]): readonly number[] {
  const shift = rowsOf(above) - rowsOf(all);
  const first = rowsOf(above) - rowsOf(tail) + (tail.startsWith(LEFT_OUT) ? 1 : 0);
  return stderr.map((row) => row + shift).filter((row) => row >= first);
}

function rowsOf(text: string): number {
  return text.split('\n').length;
}

function notesOf(timeoutMs: number, { outcome, output }: ReportingProgram): string[] {
  const notes: string[] = [];
  if (output.spill !== undefined) notes.push(`full output in ${output.spill}`);
  if (outcome.aborted) notes.push('interrupted; its processes were stopped');
  else if (outcome.timedOut) notes.push(`timed out after ${timeoutMs} ms and was stopped`);
  else if (outcome.signal !== null) notes.push(`ended by ${outcome.signal}`);
  if (outcome.exitCode !== null && outcome.exitCode !== 0) notes.push(`exit code: ${outcome.exitCode}`);
  if (outcome.leftovers > 0) notes.push(`${outcome.leftovers} background processes were stopped`);
  return notes;
}

function lastLines(text: string): string {
  if (text.length <= MOST_TAIL_CHARACTERS) return text;
  const tail = text.slice(-MOST_TAIL_CHARACTERS);
  return `${LEFT_OUT}\n${tail.slice(tail.indexOf('\n') + 1)}`;
}

/** A terminal card; also from an old log. */
export function presentProgram(title: string, result: PresentableResult): ToolResultView {
  const { meta } = result;
  if (typeof meta !== 'object' || meta === null || !('exitCode' in meta)) {
    return { card: 'generic', title, content: result.content };
  }
  const ran = 'argv' in meta && Array.isArray(meta.argv) ? meta.argv.map(String).join(' ') : title;
  return {
    card: 'terminal',
    title: ran,
    ...shownOutput(result.content, meta, 0),
    ...(typeof meta.exitCode === 'number' ? { exitCode: meta.exitCode } : {}),
    ...('signal' in meta && typeof meta.signal === 'string' ? { signal: meta.signal } : {}),
  };
}
