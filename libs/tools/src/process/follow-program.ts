import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Context, ToolOptions, ToolProgressEvent } from '@wrongstack/contracts';
import { type CollectedOutput, OutputCollector } from './output-collector.js';
import { type OutputChunk, type SpawnOutcome, spawnStream } from './spawn-stream.js';
import { TextQueue } from './text-queue.js';

export interface ProgramRun {
  /** The tool's name, for the spill file. */
  readonly tool: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface ProgramFollowing {
  /** Kept of the output's start, and as much again of its end. */
  readonly mostCharacters: number;
  /** Runs it elsewhere than here, where the session has such a place: a terminal of the editor. */
  readonly host?: ToolOptions['programHost'];
  /** Sees each piece before it is collected. */
  readonly onChunk?: (chunk: OutputChunk) => void;
}

export interface FollowedProgram {
  readonly outcome: SpawnOutcome;
  readonly output: CollectedOutput;
}

const MOST_SPILL_BYTES = 64 * 1024 * 1024;

/** A program from start to end, its output as it comes. Leaving the loop early stops it. */
export async function* followProgram(
  run: ProgramRun,
  ctx: Context,
  opts: ToolOptions,
  { mostCharacters, host, onChunk }: ProgramFollowing,
): AsyncGenerator<ToolProgressEvent, FollowedProgram, undefined> {
  const collector = new OutputCollector({
    mostCharacters,
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
    onChunk: (chunk) => {
      onChunk?.(chunk);
      take(collector.push(chunk.stream, chunk.bytes));
    },
    ...(opts.taskRoom === undefined ? {} : { room: opts.taskRoom }),
    ...(opts.sandbox === undefined ? {} : { sandbox: opts.sandbox }),
    ...(host === undefined ? {} : { host }),
  }).finally(() => queue.close());
  // Awaited below in every case; until then nobody listens, which Node would take for a lost failure.
  ended.catch(() => undefined);
  try {
    for await (const text of queue) yield { type: 'partial_output', text };
    return { outcome: await ended, output: collector.finish() };
  } finally {
    left.abort();
    await ended.catch(() => undefined);
  }
}
