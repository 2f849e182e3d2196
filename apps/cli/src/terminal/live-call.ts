import type { Decision, ToolCallView, ToolProgressEvent } from '@wrongstack/contracts';
import { escapedLines } from './escape-text.js';

/** A call from its request to its end, as the terminal knows it. */
export interface LiveCall {
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
  readonly view: ToolCallView;
  readonly agent: string | null;
  readonly decision: Decision | null;
  readonly startedAt: number | null;
  readonly estimateMs: number | null;
  readonly log: string | null;
  readonly metric: Readonly<Record<string, unknown>> | null;
  /** Complete lines of streamed output, the newest few, and the unfinished one. */
  readonly output: readonly string[];
}

const OUTPUT_ROWS = 3;
const LINE_LIMIT = 2_000;

export function withProgress(call: LiveCall, event: ToolProgressEvent): LiveCall {
  switch (event.type) {
    case 'log':
      return { ...call, log: event.text };
    case 'metric':
      return { ...call, metric: { ...call.metric, ...event.data } };
    case 'partial_output':
      return { ...call, output: joined(call.output, event.text) };
    case 'file_changed':
    case 'warning':
      // These two stay: the transcript shows them.
      return call;
  }
}

/** Rows of the output that are worth showing now. */
export function outputRows(call: LiveCall): string[] {
  const rows = call.output.at(-1) === '' ? call.output.slice(0, -1) : call.output;
  return rows.slice(-OUTPUT_ROWS).flatMap((row) => escapedLines(row));
}

function joined(rows: readonly string[], text: string): string[] {
  const parts = text.split('\n');
  const first = (rows.at(-1) ?? '') + (parts[0] ?? '');
  const all = [...rows.slice(0, -1), first, ...parts.slice(1)];
  // A carriage return overwrites the line on a terminal: progress bars show their last state.
  return all
    .slice(-(OUTPUT_ROWS + 1))
    .map((row) => (row.replace(/\r$/, '').split('\r').at(-1) ?? '').slice(-LINE_LIMIT));
}
