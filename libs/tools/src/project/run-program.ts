import type { Context, ToolOptions, ToolProgressEvent } from '@wrongstack/contracts';
import { followProgram, type FollowedProgram, type ProgramRun } from '../process/follow-program.js';

export interface ReportingProgram extends FollowedProgram {
  /** Standard output alone, for reports in JSON: cut at its bound. */
  readonly stdout: string;
}

const MOST_CHARACTERS = 128 * 1024;
const MOST_STDOUT_BYTES = 8 * 1024 * 1024;

/** A program whose standard output may be a report. It never runs in a terminal of the editor: that mixes the two streams. */
export async function* runProgram(
  run: ProgramRun,
  ctx: Context,
  opts: ToolOptions,
): AsyncGenerator<ToolProgressEvent, ReportingProgram, undefined> {
  const stdout: Buffer[] = [];
  let bytes = 0;
  const end = yield* followProgram(run, ctx, opts, {
    mostCharacters: MOST_CHARACTERS,
    onChunk: ({ stream, bytes: chunk }) => {
      if (stream !== 'stdout' || bytes >= MOST_STDOUT_BYTES) return;
      bytes += chunk.length;
      stdout.push(chunk);
    },
  });
  return { ...end, stdout: Buffer.concat(stdout).toString('utf8') };
}
