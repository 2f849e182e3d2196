import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type ToolOptions,
  type ToolStreamEvent,
} from '@wrongstack/contracts';
import { followProgram, type ProgramRun } from '../process/follow-program.js';
import { commandResult } from './command-result.js';

export type CommandEvents = AsyncGenerator<ToolStreamEvent<RichToolOutput>, void, undefined>;

/**
 * Far above every tool's `maxOutputBytes`: what the model gets is scrubbed first and cut after, by the executor, so
 * this cut always falls into the part that nobody is shown.
 */
const MOST_CHARACTERS = 64 * 1024;

/** One command from start to result, its output as it comes. Leaving the loop early stops the command. */
export async function* runCommand(run: ProgramRun, ctx: Context, opts: ToolOptions): CommandEvents {
  const { outcome, output } = yield* followProgram(run, ctx, opts, {
    mostCharacters: MOST_CHARACTERS,
    host: opts.programHost,
  });
  yield { type: 'final', output: commandResult(outcome, output, run.timeoutMs) };
}

/** For `execute`: the same run without its events. */
export async function resultOf(events: CommandEvents): Promise<RichToolOutput> {
  for await (const event of events) if (event.type === 'final') return event.output;
  throw new WrongStackError('internal.no_final', 'the command ended without a result');
}
