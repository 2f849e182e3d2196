import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Context, ToolOptions, ToolProgressEvent } from '@wrongstack/contracts';
import { OutputCollector, type CollectedOutput } from '../process/output-collector.js';
import { spawnStream, type SpawnOutcome } from '../process/spawn-stream.js';
import { TextQueue } from '../shell/text-queue.js';

export interface ProgramRun {
  readonly tool: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface ProgramEnd {
  readonly outcome: SpawnOutcome;
  readonly output: CollectedOutput;
  /** Standard output alone, for reports in JSON: cut at its bound. */
  readonly stdout: string;
}

const MOST_CHARACTERS = 128 * 1024;
const MOST_STDOUT_BYTES = 8 * 1024 * 1024;
const MOST_SPILL_BYTES = 64 * 1024 * 1024;

/** A program from start to end, its output as it comes. Leaving the loop early stops it. */
export async function* runProgram(
  run: ProgramRun,
  ctx: Context,
  opts: ToolOptions,
): AsyncGenerator<ToolProgressEvent, ProgramEnd, undefined> {
  const collector = new OutputCollector({
    mostCharacters: MOST_CHARACTERS,
    spillFile: join(ctx.scratchDir, `${run.tool}-${randomBytes(6).toString('hex')}.log`),
    mostSpillBytes: MOST_SPILL_BYTES,
    ...(opts.scrubStream === undefined ? {} : { scrub: opts.scrubStream() }),
  });
  const stdout: Buffer[] = [];
  let bytes = 0;
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
      if (chunk.stream === 'stdout' && bytes < MOST_STDOUT_BYTES) {
        bytes += chunk.bytes.length;
        stdout.push(chunk.bytes);
      }
      take(collector.push(chunk.stream, chunk.bytes));
    },
    ...(opts.taskRoom === undefined ? {} : { room: opts.taskRoom }),
    ...(opts.sandbox === undefined ? {} : { sandbox: opts.sandbox }),
  }).finally(() => queue.close());
  // Awaited below in every case; until then nobody listens, which Node would take for a lost failure.
  ended.catch(() => undefined);
  try {
    for await (const text of queue) yield { type: 'partial_output', text };
    const outcome = await ended;
    return { outcome, output: collector.finish(), stdout: Buffer.concat(stdout).toString('utf8') };
  } finally {
    left.abort();
    await ended.catch(() => undefined);
  }
}
