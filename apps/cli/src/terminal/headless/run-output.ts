import { escapeForPipe } from '../escape-text.js';
import type { TerminalEvent } from '../event-source.js';
import type { Line } from '../lines.js';
import type { RunResult } from '../run-result.js';
import { RunView, type RunViewOptions } from '../run-view.js';
import { PlainScreen } from '../plain-screen.js';
import { isoNow, type Clock } from '@wrongstack/contracts';
import { type StartFacts, streamFieldsOf } from '@wrongstack/kernel';
import type { Scheduler } from '../scheduler.js';
import type { TextOutput } from '../screen.js';
import { summaryLines } from '../summary-lines.js';
import type { Theme } from '../theme.js';
import { jsonLine } from './json-line.js';
import { resultFields } from './json-events.js';

/** Shows one headless run. `finish` is called exactly once, also for a run that failed before it began. */
export interface RunOutput {
  handle(event: TerminalEvent): void;
  /** Lines of the app itself, such as a warning about the configuration. */
  note(lines: readonly Line[]): void;
  finish(result: RunResult): void;
}

export interface HeadlessTextOptions extends Pick<RunViewOptions, 'look' | 'views'> {
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly theme: Theme;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** Text: calls, denials and the summary on stderr as they happen; stdout is the final answer and nothing else. */
export class HeadlessText implements RunOutput {
  private readonly screen: PlainScreen;
  private readonly view: RunView;

  constructor(private readonly options: HeadlessTextOptions) {
    this.screen = new PlainScreen({ ...options, output: options.stderr });
    this.view = new RunView({ ...options, print: (lines) => this.screen.print(lines) });
  }

  handle(event: TerminalEvent): void {
    // The answer belongs to stdout, whole and once; the view must not stream it to stderr as well.
    if (event.name !== 'message.delta' && event.name !== 'message.completed') this.view.handle(event);
    this.screen.waiting(this.view.waitingText());
  }

  note(lines: readonly Line[]): void {
    this.screen.print(lines);
  }

  finish(result: RunResult): void {
    this.screen.close();
    const text = escapeForPipe(result.text);
    if (text !== '') this.options.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    this.screen.print(summaryLines(result, this.options.look()));
  }
}

export interface JsonOutputOptions {
  readonly stdout: TextOutput;
  /** Notes only: stdout carries JSON and nothing else. */
  readonly stderr: TextOutput;
  readonly theme: Theme;
  readonly clock: Clock;
  readonly start: StartFacts;
  /** For events that belong to no run, such as a change of policy: whose stream this is. */
  readonly origin: () => { readonly session: string; readonly run: string };
}

/** One JSON object a line; the last is the result, whatever happened. */
export class StreamJson implements RunOutput {
  private seq = 0;

  constructor(private readonly options: JsonOutputOptions) {}

  handle(event: TerminalEvent): void {
    const fields = streamFieldsOf(event, this.options.start);
    if (fields === null) return;
    const origin = { ...this.options.origin(), agent: 'main', ...originOf(event.payload) };
    this.write(event.name, origin, fields);
  }

  note(lines: readonly Line[]): void {
    writeNotes(this.options, lines);
  }

  finish(result: RunResult): void {
    const { type: _type, session, run, ...fields } = resultFields(result);
    this.write('result', { session: String(session), run: String(run), agent: 'main' }, fields);
  }

  private write(type: string, origin: Origin, fields: Record<string, unknown>): void {
    const ts = isoNow(this.options.clock);
    this.options.stdout.write(jsonLine({ v: 1, seq: this.seq, ts, type, ...origin, ...fields }));
    this.seq += 1;
  }
}

/** `--output json`: the result line alone. */
export class JsonResult implements RunOutput {
  constructor(private readonly options: Pick<JsonOutputOptions, 'stdout' | 'stderr' | 'theme'>) {}

  handle(): void {
    // Only the result counts.
  }

  note(lines: readonly Line[]): void {
    writeNotes(this.options, lines);
  }

  finish(result: RunResult): void {
    this.options.stdout.write(jsonLine({ v: 1, ...resultFields(result) }));
  }
}

interface Origin {
  readonly session: string;
  readonly run: string;
  readonly agent: string;
}

function originOf(payload: object): Partial<Origin> {
  if (!('session' in payload) || !('run' in payload) || !('agent' in payload)) return {};
  return { session: String(payload.session), run: String(payload.run), agent: String(payload.agent) };
}

function writeNotes(options: Pick<JsonOutputOptions, 'stderr' | 'theme'>, lines: readonly Line[]): void {
  options.stderr.write(lines.map((row) => `${options.theme.paint(row)}\n`).join(''));
}
