import type { PresentableResult, RichToolOutput, ToolResultView } from '@wrongstack/contracts';
import type { CollectedOutput } from '../process/output-collector.js';
import type { SpawnOutcome } from '../process/spawn-stream.js';

/** Kept beside the result of a command. */
export interface CommandMeta {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly bytes: number;
  /** The first block is output; else all blocks are notes. */
  readonly hasOutput: boolean;
  /** Rows of the output as it was, and which of them came from the standard error. */
  readonly rows?: number;
  readonly stderr?: readonly number[];
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
    ...(text === '' ? {} : stderrRows(text, output.stderr)),
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

/** The terminal card of a finished command; also from an old log. Where masking or a cut took rows out, none is marked. */
export function presentCommandResult(title: string, result: PresentableResult): ToolResultView {
  const meta = commandMeta(result.meta);
  if (meta === undefined) return { card: 'generic', title, content: result.content };
  const [first] = result.content;
  const output = meta.hasOutput === true && first?.type === 'text' ? first.text : '';
  return {
    card: 'terminal',
    title,
    output,
    ...(isRows(meta.stderr) && meta.rows === output.split('\n').length ? { stderr: meta.stderr } : {}),
    ...(typeof meta.exitCode === 'number' ? { exitCode: meta.exitCode } : {}),
    ...(typeof meta.signal === 'string' ? { signal: meta.signal } : {}),
  };
}

/** Enough for every card; a log line has to stay affordable. */
const MOST_STDERR_ROWS = 2_000;

function stderrRows(text: string, stderr: readonly number[]): Pick<CommandMeta, 'rows' | 'stderr'> {
  if (stderr.length === 0) return {};
  return { rows: text.split('\n').length, stderr: stderr.slice(-MOST_STDERR_ROWS) };
}

function isRows(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}

function commandMeta(meta: unknown): { readonly [Key in keyof CommandMeta]?: unknown } | undefined {
  return typeof meta === 'object' && meta !== null && 'exitCode' in meta ? meta : undefined;
}
