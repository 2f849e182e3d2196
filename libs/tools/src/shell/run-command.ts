import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type ToolOptions,
  type ToolStreamEvent,
} from '@wrongstack/contracts';
import { OutputCollector } from '../process/output-collector.js';
import { spawnStream } from '../process/spawn-stream.js';
import { commandResult } from './command-result.js';
import { TextQueue } from './text-queue.js';

export interface CommandRun {
  /** The tool's name, for messages and for the spill file. */
  readonly tool: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export type CommandEvents = AsyncGenerator<ToolStreamEvent<RichToolOutput>, void, undefined>;

/**
 * Far above every tool's `maxOutputBytes`: what the model gets is scrubbed first and cut after, by the executor, so
 * this cut always falls into the part that nobody is shown.
 */
const MOST_CHARACTERS = 64 * 1024;
const MOST_SPILL_BYTES = 64 * 1024 * 1024;

/** One command from start to result, its output as it comes. Leaving the loop early stops the command. */
export async function* runCommand(run: CommandRun, ctx: Context, opts: ToolOptions): CommandEvents {
  const collector = new OutputCollector({
    mostCharacters: MOST_CHARACTERS,
    spillFile: join(ctx.scratchDir, `${run.tool}-${randomBytes(6).toString('hex')}.log`),
    mostSpillBytes: MOST_SPILL_BYTES,
    ...(opts.scrubStream === undefined ? {} : { scrub: opts.scrubStream() }),
  });
  const queue = new TextQueue();
  // A task's output is kept whole; the queue is for eyes and skips what comes too fast for them.
  const take = opts.taskOutput ?? ((text: string) => queue.push(text));
  const left = new AbortController();
  const ended = spawnStream(run.argv, {
    cwd: run.cwd,
    env: run.env,
    signal: AbortSignal.any([opts.signal, left.signal]),
    timeoutMs: run.timeoutMs,
    onChunk: ({ stream, bytes }) => take(collector.push(stream, bytes)),
    ...(opts.taskRoom === undefined ? {} : { room: opts.taskRoom }),
    ...(opts.sandbox === undefined ? {} : { sandbox: opts.sandbox }),
    ...(opts.programHost === undefined ? {} : { host: opts.programHost }),
  }).finally(() => queue.close());
  // It is awaited below in every case; until then nobody listens, which Node would take for a lost failure.
  ended.catch(() => undefined);
  try {
    for await (const text of queue) yield { type: 'partial_output', text };
    const outcome = await ended;
    const output = collector.finish();
    yield { type: 'final', output: commandResult(outcome, output, run.timeoutMs) };
  } finally {
    left.abort();
    await ended.catch(() => undefined);
  }
}

/** For `execute`: the same run without its events. */
export async function resultOf(events: CommandEvents): Promise<RichToolOutput> {
  for await (const event of events) if (event.type === 'final') return event.output;
  throw new WrongStackError('internal.no_final', 'the command ended without a result');
}
