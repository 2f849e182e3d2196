import type { PresentableResult, RichToolOutput, ToolResultView } from '@wrongstack/contracts';
import type { CollectedOutput } from '../process/output-collector.js';
import type { SpawnOutcome } from '../process/spawn-stream.js';
import { rowMarks, shownOutput, type RowMarks } from './stderr-rows.js';

/** Kept beside the result of a command. */
export interface CommandMeta extends RowMarks {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly bytes: number;
  /** The first block is output; else all blocks are notes. */
  readonly hasOutput: boolean;
  /** Rows of the notes, which a cut joins to the output. */
  readonly noteRows?: number;
  readonly spill?: string;
}

/**
 * A failing command is a normal result: the model decides what its exit code means. An interrupted one is an error, and
 * still says what it had printed.
 */
export function commandResult(
  outcome: SpawnOutcome,
  output: CollectedOutput,
  timeoutMs: number,
): RichToolOutput {
  const text = output.binary === undefined ? output.text.replace(/\n$/, '') : '';
  const notes = notesOf(outcome, output, timeoutMs);
  if (text === '' && notes.length === 0) notes.push('no output');
  const blocks = text === '' ? [] : [{ type: 'text', text } as const];
  const meta: CommandMeta = {
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    timedOut: outcome.timedOut,
    bytes: output.bytes,
    hasOutput: text !== '',
    noteRows: notes.length,
    ...(text === '' ? {} : rowMarks(text, output.stderr)),
    ...(output.spill === undefined ? {} : { spill: output.spill }),
  };
  const about = notes.map((note) => `[${note}]`).join('\n');
  const content = about === '' ? blocks : [...blocks, { type: 'text', text: about } as const];
  return { content, meta, ...(outcome.aborted ? { isError: true } : {}) };
}

function notesOf(outcome: SpawnOutcome, output: CollectedOutput, timeoutMs: number): string[] {
  const notes: string[] = [];
  if (output.binary !== undefined) {
    notes.push(`binary output, ${output.binary.bytes} bytes, sha256 ${output.binary.sha256}`);
  }
  if (output.omitted > 0 && output.binary === undefined) {
    const where = output.spill === undefined ? 'and could not be kept' : `full output in ${output.spill}`;
    notes.push(`${output.omitted} characters cut, ${where}`);
  }
  if (outcome.aborted) notes.push('interrupted; its processes were stopped');
  else if (outcome.timedOut) notes.push(`timed out after ${timeoutMs} ms and was stopped`);
  else if (outcome.signal !== null) notes.push(`ended by ${outcome.signal}`);
  if (outcome.exitCode !== null && outcome.exitCode !== 0) notes.push(`exit code: ${outcome.exitCode}`);
  if (outcome.leftovers > 0) notes.push(`${outcome.leftovers} background processes were stopped`);
  return notes;
}

/** The terminal card of a finished command; also from an old log. */
export function presentCommandResult(title: string, result: PresentableResult): ToolResultView {
  const meta = commandMeta(result.meta);
  if (meta === undefined) return { card: 'generic', title, content: result.content };
  const noteRows = typeof meta.noteRows === 'number' ? meta.noteRows : 0;
  return {
    card: 'terminal',
    title,
    ...(meta.hasOutput === true ? shownOutput(result.content, meta, noteRows) : { output: '' }),
    ...(typeof meta.exitCode === 'number' ? { exitCode: meta.exitCode } : {}),
    ...(typeof meta.signal === 'string' ? { signal: meta.signal } : {}),
  };
}

function commandMeta(meta: unknown): { readonly [Key in keyof CommandMeta]?: unknown } | undefined {
  return typeof meta === 'object' && meta !== null && 'exitCode' in meta ? meta : undefined;
}
